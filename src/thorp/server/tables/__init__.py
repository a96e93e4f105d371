"""Tables: rooms with seats, their matches and stories, the store, and bots at work. Nothing here knows HTTP."""
