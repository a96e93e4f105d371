"""What a game is: records, rules, moves, chance and matches. Nothing here knows a single game."""
