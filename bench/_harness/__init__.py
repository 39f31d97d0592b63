"""What the benchmarks share: a Postgres of their own, peers in their own environments, processes, results.

Nothing is imported here: peers' environments import `bench._harness.protocol`, which needs the standard library only.
"""
