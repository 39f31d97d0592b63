"""The subjects of `bench.processes`: each is a program that takes a connection string and a number of invoices."""
