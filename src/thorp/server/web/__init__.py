"""The web: pages, forms, live streams, templates and security. Nothing here knows the database."""
