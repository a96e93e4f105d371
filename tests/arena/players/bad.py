"""Players that go wrong, each in a way of its own: the first argument says which."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

how = sys.argv[1]
if how == "crash at once":
    sys.exit("no such file: weights")
if how == "shout":
    sys.exit("\x1b]0;mine now\a\x1b[2J\tno weights")
if how == "brittle":
    # begins twice, and breaks as soon as it has to choose
    with Path(sys.argv[2]).open("a+") as begun:
        begun.write(".")
        if begun.tell() > 2:
            sys.exit("nothing left to begin with")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "game":
        print(json.dumps({"ready": True}), flush=True)
    elif asked["type"] == "choose":
        if how in ("crash", "brittle"):
            raise ValueError("a bug")
        if how == "two lines":
            raise RuntimeError("boom\nline two")
        if how == "sleep":
            time.sleep(1000)
        if how == "stay":
            # whatever becomes of who asked; a pipe says who is there
            with Path(sys.argv[2]).open("w") as told:
                print(os.getpid(), file=told, flush=True)
                time.sleep(10_000)
        if how == "child":
            # which leaves the session, and keeps what it was given open
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
            with Path(sys.argv[2]).open("a") as born:
                born.write(f"{child.pid}\n")
        answers = {
            "leave": json.dumps({"move": asked["legal"][0]["move"]}),
            "nonsense": "e2e4",
            "list": "[1]",
            "deep": "[" * 30_000 + "]" * 30_000,
            "child": "{}",
            "no move": '{"answer": 1}',
            "part": '{"move": 3.0}',
            "truth": '{"move": true}',
            "illegal": '{"move": 99}',
            "twice": json.dumps({"move": asked["legal"][0]["move"]}) + '\n{"move": 0}',
            "endless": "x" * 100_000,
        }
        # in one go, also where output is not buffered
        sys.stdout.write(answers[how] + "\n")
        sys.stdout.flush()
    elif how == "leave":
        # though there may be another game
        break
