"""The web server: pages, tables, live updates, the store, and bots at work. It knows no game."""
