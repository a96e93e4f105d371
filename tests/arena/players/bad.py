"""Players that go wrong, each in a way of its own: the first argument says which."""

import json
import sys
import time

how = sys.argv[1]
if how == "crash at once":
    sys.exit("no such file: weights")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "game":
        print(json.dumps({"ready": True}), flush=True)
    elif asked["type"] == "choose":
        if how == "crash":
            raise ValueError("a bug")
        if how == "sleep":
            time.sleep(1000)
        answers = {
            "nonsense": "e2e4",
            "list": "[1]",
            "no move": '{"answer": 1}',
            "truth": '{"move": true}',
            "illegal": '{"move": 99}',
            "twice": json.dumps({"move": asked["legal"][0]["move"]}) + '\n{"move": 0}',
            "endless": "x" * 100_000,
        }
        # in one go, also where output is not buffered
        sys.stdout.write(answers[how] + "\n")
        sys.stdout.flush()
