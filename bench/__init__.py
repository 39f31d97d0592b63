"""Benchmarks beside peers: `python -m bench.‹name›` prints one table and writes `bench/results/‹name›.jsonl`."""
