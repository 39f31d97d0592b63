"""The kernel: plain values every other part speaks in. It imports nothing of ours but the errors."""
