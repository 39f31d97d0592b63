"""The stores behind keys and links: Postgres, and memory for tests."""
