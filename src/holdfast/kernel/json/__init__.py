"""JSON in one place: read exactly and at a bounded cost, written canonically, encoded from Python's values."""
