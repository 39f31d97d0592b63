"""The kit for tests of code that uses holdfast: a clock that obeys, and a fresh, real database for each test.

Installed with holdfast, the pytest plugin gives the fixtures `holdfast_app` (an open application on a database of its
own), `holdfast_clock` (its `FakeClock`), `holdfast_dsn` and `holdfast_databases`. They run on a private embedded
Postgres, or on the server that `TEST_DSN` names. `drain(app)` does what workers would do, at once.
"""

from holdfast.kernel.clock import FakeClock
from holdfast.testing.databases import Databases
from holdfast.testing.draining import drain

__all__ = ["Databases", "FakeClock", "drain"]
