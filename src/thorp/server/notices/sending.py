"""What may come of sending something."""

from __future__ import annotations

from typing import Literal

Outcome = Literal["sent", "later", "gone", "refused"]

#: It has been taken.
SENT: Outcome = "sent"
#: Nobody answered, or not so that it helped: it may be tried again.
LATER: Outcome = "later"
#: There is nobody any more at this address.
GONE: Outcome = "gone"
#: It was refused for good, though the address may be right.
REFUSED: Outcome = "refused"
