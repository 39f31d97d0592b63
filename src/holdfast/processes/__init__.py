"""Processes: the imperative shell around the envelope. Instances, steps, people, waits, effects."""
