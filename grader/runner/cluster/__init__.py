"""Many submissions on many machines, by Dask: the engine at the client, and what it has each Dask worker do.

Whoever belongs to a cluster is trusted, because Dask runs what its members send. TLS certificates decide who does. A
student's code never runs in a Dask worker: it runs in confined children of a zygote beside it, as on any machine.
"""
