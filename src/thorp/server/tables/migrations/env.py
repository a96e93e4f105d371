"""What Alembic runs: the migrations, on the connection that `store.py` hands over in `attributes`."""

from alembic import context

from thorp.server.tables.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot alter most things in place
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
