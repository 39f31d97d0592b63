"""The run-queue benchmark: its subjects, one adapter each, and how every metric is measured."""
