"""What happens in a tenant, as server-sent events: one stream for everything that somebody looks at.

Each event is `{topic, kind, object}`, its id where to go on. `resync` says that something may have been missed,
`topics` which topics are shown, `position` nothing but where the stream is. A reader that comes back with
`Last-Event-ID` gets what it has not had, once and in order, or a `resync`; from whichever server answers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from holdfast.errors import Forbidden, InvalidInput, NotFound, NotSignedIn
from holdfast.http.acting import application, in_tenant, still_in_tenant
from holdfast.http.route import GuardedRoute
from holdfast.http.streams import EVENTS, Stream
from holdfast.kernel.actor import Actor
from holdfast.live.model import TOPICS, check_topics
from holdfast.live.rights import may_see

__all__ = ["router"]

router = APIRouter(prefix="/v1/{tenant}", tags=["live"], route_class=GuardedRoute)

_LONGEST_POSITION = 20_000
Topics = Annotated[str | None, Query(description=f"some of {', '.join(TOPICS)}, with commas between; all by default")]


@router.get("/live", response_class=StreamingResponse)
async def follow_live(
    request: Request, tenant: str, topics: Topics = None, last_event_id: Annotated[str | None, Header()] = None
) -> Response:
    """What happens, as server-sent events, of the topics that the caller may see."""
    wanted = check_topics(None if topics is None else [each.strip() for each in topics.split(",") if each.strip()])
    if last_event_id is not None and len(last_event_id) > _LONGEST_POSITION:
        raise InvalidInput(
            "Last-Event-ID is too long", hint="send back the id of the last event", field="Last-Event-ID"
        )
    actor = await in_tenant(request, tenant)
    if not any(may_see(actor, topic) for topic in wanted):
        raise Forbidden(
            f"{actor} may see none of the topics {', '.join(wanted)}",
            hint="ask an administrator for a role with the permission to read them",
        )
    return Stream(_lines(request, tenant, wanted, last_event_id), media_type="text/event-stream", headers=EVENTS)


async def _lines(request: Request, tenant: str, topics: tuple[str, ...], after: str | None) -> AsyncIterator[str]:
    # Tells intermediaries and browsers at once that the stream is open, and how soon to come back after a loss.
    yield "retry: 1000\n\n"

    async def who() -> Actor:
        return await still_in_tenant(request, tenant)

    try:
        async with aclosing(application(request).live_batches(tenant, topics, after, who)) as batches:
            async for events in batches:
                yield "".join(event.text for event in events)
    except (NotSignedIn, NotFound):
        # Who reads may not any more: whoever comes back is told so.
        return
