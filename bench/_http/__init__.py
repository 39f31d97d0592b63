"""The processes of the benchmark of HTTP: a server, a bare one, a program that calls in process, and the clients."""
