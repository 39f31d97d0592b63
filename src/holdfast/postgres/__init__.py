"""Everything that speaks to Postgres: the embedded server, the pool, the tenant transaction, migrations, queries."""
