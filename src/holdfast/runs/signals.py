"""What a handler may raise to say what should become of its run.

`Retry` doubles as the policy of a handler: `@app.handler("x", retry=Retry(max_attempts=5))` sets it, and
`raise Retry(after=30)` asks for one more attempt in 30 seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from holdfast.errors import InvalidInput
from holdfast.leases import Backoff

__all__ = ["Fail", "Rate", "Retry", "Snooze", "seconds"]


def seconds(field: str, value: float | timedelta) -> timedelta:
    """A span of time that is not negative, given in seconds or as a timedelta."""
    try:
        span = value if isinstance(value, timedelta) else timedelta(seconds=value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(f"{field} is {value!r}", hint="give seconds or a timedelta", field=field) from None
    if not timedelta(0) <= span <= timedelta(days=3660):
        raise InvalidInput(f"{field} is {span}", hint="use something from 0 to 3660 days", field=field)
    return span


class Retry(Exception):
    """Try again. Counts as an attempt; when they are used up the run fails.

    For example:

        raise Retry("the bank is closed", after=3600)
    """

    def __init__(
        self,
        reason: str = "retry requested",
        *,
        after: float | timedelta | None = None,
        max_attempts: int = 3,
        base: float = 1.0,
        cap: float = 300.0,
        jitter: float = 0.5,
    ) -> None:
        super().__init__(reason)
        if not isinstance(max_attempts, int) or not 1 <= max_attempts <= 1000:
            raise InvalidInput(
                f"max_attempts is {max_attempts!r}", hint="use a number from 1 to 1000", field="max_attempts"
            )
        self.after = None if after is None else seconds("after", after)
        self.max_attempts = max_attempts
        self.backoff = Backoff(base, cap, jitter)


class Snooze(Exception):
    """Not now: come back later. Does not count as an attempt.

    For example:

        raise Snooze(60)
    """

    def __init__(self, after: float | timedelta, reason: str = "snoozed") -> None:
        super().__init__(reason)
        self.after = seconds("after", after)


@dataclass(frozen=True, slots=True)
class Rate:
    """How many runs of a type may start within `per` seconds, on all workers together, evenly spread.

    `burst` of them may start at the same moment; by default what is due within a tenth of a second. With `per_tenant`
    each tenant has the rate for itself.

    For example:

        @app.handler("mail.send.v1", rate=Rate(100, per=60, per_tenant=True))
        async def send(run: Run, mail: Mail) -> None: ...
    """

    limit: int
    per: float | timedelta = 1.0
    burst: int | None = None
    per_tenant: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.limit, int) or self.limit < 1:
            raise InvalidInput(f"the limit of the rate is {self.limit!r}", hint="use 1 or more", field="limit")
        if seconds("per", self.per) <= timedelta(0):
            raise InvalidInput(f"per is {self.per!r}", hint="use more than 0 seconds", field="per")
        if self.step <= timedelta(0):
            raise InvalidInput(
                f"the limit of the rate is {self.limit} in {self.per} s",
                hint="a million a second is the most",
                field="limit",
            )
        if self.burst is not None and (not isinstance(self.burst, int) or self.burst < 1):
            raise InvalidInput(f"burst is {self.burst!r}", hint="use 1 or more", field="burst")
        if self.burst is not None and self.burst > timedelta(days=3660) / self.step:
            raise InvalidInput(
                f"burst is {self.burst}", hint="use no more than come due within 3660 days", field="burst"
            )

    @property
    def step(self) -> timedelta:
        """The time between two starts, on the average."""
        return seconds("per", self.per) / self.limit

    @property
    def slack(self) -> timedelta:
        """How much ahead of its time a start may be."""
        together = self.burst or max(1, round(timedelta(seconds=0.1) / self.step))
        return self.step * (together - 1)


class Fail(Exception):
    """Give up at once: the run fails, whatever attempts are left.

    For example:

        raise Fail("the card was refused")
    """
