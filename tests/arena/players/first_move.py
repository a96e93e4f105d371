"""A whole player in another process: it takes the first legal move. See docs/arena.md for what the lines mean."""

import json
import sys

for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "game":
        print(json.dumps({"ready": True}), flush=True)
    elif asked["type"] == "choose":
        print(json.dumps({"move": asked["legal"][0]["move"]}), flush=True)
