"""`python -m thorp` is the command `thorp`."""

import sys

from thorp.cli import main

sys.exit(main())
