"""What happened to the documents of the demo's company: weeks of it, told act by act in the order of time.

Each document takes a course: what people did to it, and how many hours after it was made. The acts of all of them are
put in order and done one after another, each by whoever did it, in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from holdfast.app import Holdfast
from holdfast.demo.people import ADMIN, TENANT
from holdfast.kernel.clock import FakeClock

__all__ = ["BEGINS", "tell"]

BEGINS: Final = timedelta(days=44)
"""How long ago the company began to work with holdfast."""

_SUPPLIERS: Final = (
    "Fjord Textiles",
    "Harbour Ceramics",
    "Café Aurora",
    "Nordpost",
    "Lumen & Sons",
    "Papelaria Central",
)
_ARTICLES: Final = ("Wool blanket", "Stoneware bowl", "Oak tray", "Linen towel", "Brass lamp", "Paper lantern")
_TRIPS: Final = (
    "Visit of a supplier",
    "Trade fair in Milan",
    "Train to Bergen",
    "Lunch with a customer",
    "Stand at the market",
)
_SITES: Final = (("Kaivägen 4", "Göteborg"), ("Rua do Poço 18", "Porto"), ("Hafenstraße 71", "Hamburg"))
_CENTRES: Final = ("Warehouse", "Shop", "Head office")


@dataclass(frozen=True, slots=True)
class Act:
    """What somebody does to a document, so many hours after it was made."""

    hours: float
    who: str
    what: str
    given: dict[str, Any] = field(default_factory=dict)


def _submit(hours: float, who: str = "") -> Act:
    return Act(hours, who, "submit")


def _approve(hours: float, who: str, node: str = "") -> Act:
    return Act(hours, who, "approve", {"node": node})


def _against(hours: float, who: str, verdict: str, reason: str) -> Act:
    return Act(hours, who, verdict, {"reason": reason})


def _edit(hours: float, **changes: Any) -> Act:
    return Act(hours, "", "edit", changes)


_ANSWER: Final = Act(20, "mira", "answer", {"found": True, "archive_number": "A-"})


@dataclass(frozen=True, slots=True)
class Course:
    """One document: made how many days ago, over how much, and what became of it."""

    kind: str
    days: float
    total: str
    acts: tuple[Act, ...] = ()
    supplier: str | None = None


_LARGE: Final = (_submit(2), _approve(7, "ben", "finance"), _approve(26, "cora", "cfo"))
_SMALL: Final = (_submit(1), _approve(22, "ben"))
_TWO: Final = (_submit(1), _approve(5, "ben"), _approve(29, "mira"))
_TRIP: Final = (_submit(1), _ANSWER, _approve(27, "ben"))
_CENTRE: Final = "The cost centre is missing"

_COURSES: Final = (
    # Invoices: finance decides, above 10,000 together with the CFO.
    Course("invoice", 41, "640.00", _SMALL),
    Course("invoice", 39, "18420.75", _LARGE),
    Course("invoice", 36, "1204.55", _SMALL),
    Course("invoice", 33, "9900.00", _SMALL),
    Course(
        "invoice",
        31,
        "13900.00",
        (
            _submit(2),
            _against(20, "ben", "returned", "Two blankets too many: we ordered 40"),
            _edit(26, total=Decimal("13104.00"), note="Two blankets taken off"),
            _submit(27),
            _approve(44, "ben", "finance"),
            # It changes while the CFO looks at it: what was asked about the old version is void.
            _edit(50, total=Decimal("13104.50"), note="Two blankets taken off, freight added"),
            _submit(51),
            _approve(68, "mira", "finance"),
            _approve(74, "cora", "cfo"),
        ),
    ),
    Course("invoice", 28, "412.30", _SMALL),
    Course("invoice", 24, "22100.00", _LARGE),
    Course("invoice", 20, "356.80", (_submit(1), _approve(20, "mira"))),
    Course("invoice", 17, "5120.00", (_submit(1), _against(21, "ben", "rejected", "Already paid with I-0003"))),
    Course("invoice", 13, "780.40", (_submit(2), Act(9, "", "cancel", {"reason": "The supplier sent it twice"}))),
    Course("invoice", 9, "2890.00", _SMALL, "Oak Works"),
    Course("invoice", 6, "1475.25", _SMALL, "Oak Works"),
    Course("invoice", 4.5, "990.00", (_submit(1), _against(23, "mira", "returned", _CENTRE))),
    Course("invoice", 2.3, "12500.10", (_submit(3), _approve(30, "ben", "finance"))),
    Course("invoice", 1.9, "31750.00", (_submit(2),)),
    Course("invoice", 1.4, "875.00", (_submit(1), Act(8, "cora", "claim"))),
    Course(
        "invoice", 0.9, "14999.99", (_submit(4), _edit(9, total=Decimal("15299.99"), note="Freight added"), _submit(10))
    ),
    Course("invoice", 0.6, "264.15", (_submit(1), Act(3, "otto", "hand_over", {"to": "mira"}))),
    Course("invoice", 0.2, "4300.00"),
    # Purchase orders: two of finance, within two days.
    Course("purchase_order", 40, "3200.00", _TWO),
    Course("purchase_order", 35, "890.00", _TWO),
    Course("purchase_order", 30, "15400.00", _TWO),
    Course(
        "purchase_order",
        26,
        "2150.50",
        (
            _submit(1),
            _against(6, "cora", "rejected", "We have enough trays until spring"),
            _against(9, "mira", "rejected", "As Cora says"),
        ),
    ),
    Course("purchase_order", 22, "1310.00", _TWO),
    Course("purchase_order", 15, "460.00", (_submit(1), Act(3, "", "cancel", {"reason": "Ordered by telephone"}))),
    Course("purchase_order", 8, "7600.00", (_submit(1), _approve(11, "mira"))),
    Course("purchase_order", 5, "2480.00", (_submit(2),)),
    Course("purchase_order", 1.6, "19200.00", (_submit(1), _approve(18, "cora"))),
    Course("purchase_order", 0.8, "540.00", (_submit(1),)),
    Course("purchase_order", 0.4, "6075.00", (_submit(1),)),
    Course("purchase_order", 0.1, "1188.00"),
    # Expenses: above 50 the receipt is looked for first.
    Course("expense", 38, "34.00", (_submit(1), _approve(19, "ben"))),
    Course("expense", 34, "218.40", _TRIP),
    Course("expense", 27, "76.90", _TRIP),
    Course("expense", 21, "1260.00", (_submit(1), _ANSWER, _approve(27, "henrik"))),
    Course("expense", 16, "48.20", (_submit(1), _approve(4, "mira"))),
    Course(
        "expense", 12, "310.00", (_submit(1), _ANSWER, _against(30, "ben", "rejected", "The dinner was the customer's"))
    ),
    Course("expense", 11, "2340.00", (_submit(1), _ANSWER)),
    Course("expense", 7, "95.00", _TRIP),
    Course("expense", 3, "410.20", (_submit(1), _ANSWER)),
    Course("expense", 1.2, "142.75", (_submit(1),)),
    Course("expense", 0.7, "68.00", (_submit(1),)),
    Course("expense", 0.5, "22.60", (_submit(1),)),
    Course("expense", 0.3, "39.90"),
)


async def tell(app: Holdfast, clock: FakeClock | None) -> dict[str, UUID]:
    """Let all of it happen, at the clock's times or all of it now; the documents there are in the end, by number."""
    made: dict[str, UUID] = {}
    now = datetime.now(UTC)
    for at, number, course, act in _in_order(now):
        if clock is not None:
            clock.advance(max(timedelta(0), at - clock.now()))
        who = act.who or _author(number)
        if act.what == "create":
            content = _content(number, course, at)
            async with app.tenant(TENANT, actor=who) as hold:
                made[number] = (await hold.documents.create(course.kind, content, key=f"demo-{number}")).id
        elif act.what in ("submit", "cancel", "edit"):
            made[number] = await _change(app, who, made[number], act)
        else:
            await _decide(app, who, made[number], number, act)
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        # He has left; what he was asked by name waits for nobody.
        await hold.users.deactivate("henrik")
    async with app.tenant(TENANT, actor="cora") as hold:
        ends = now + timedelta(days=9)
        await hold.delegations.create(
            "mira", ends_at=ends, entity_type="invoice", reason="In Lisbon until the end of next week"
        )
    return made


def _in_order(now: datetime) -> Iterator[tuple[datetime, str, Course, Act]]:
    counts: dict[str, int] = {}
    acts: list[tuple[datetime, str, Course, Act]] = []
    for course in _COURSES:
        counts[course.kind] = counts.get(course.kind, 0) + 1
        number = f"{_PREFIXES[course.kind]}-{counts[course.kind]:04}"
        begun = now - timedelta(days=course.days)
        every = (Act(0, "", "create"), *course.acts)
        acts += [(min(begun + timedelta(hours=act.hours), now), number, course, act) for act in every]
    # Stable: what is at one moment stays in the order of its course.
    yield from sorted(acts, key=lambda each: each[0])


_PREFIXES: Final = {"invoice": "I", "purchase_order": "PO", "expense": "EX"}


def _author(number: str) -> str:
    return "chloe" if int(number[-4:]) % 3 else "paulo"


def _content(number: str, course: Course, at: datetime) -> dict[str, Any]:
    nth = int(number[-4:])
    total = Decimal(course.total)
    content: dict[str, Any] = {"number": number, "total": total, "currency": "EUR"}
    if course.kind == "expense":
        return content | {
            "purpose": _TRIPS[nth % len(_TRIPS)],
            "spent_on": (at - timedelta(days=3)).date().isoformat(),
            "receipt": nth % 2 == 0,
        }
    quantity = 1 + nth % 7
    line = {"article": _ARTICLES[nth % len(_ARTICLES)], "quantity": quantity, "price": round(total / quantity, 2)}
    content |= {"supplier": course.supplier or _SUPPLIERS[nth % len(_SUPPLIERS)], "lines": [line]}
    if course.kind == "invoice":
        due = (at + timedelta(days=30)).date().isoformat()
        return content | {"due_on": due, "cost_centre": _CENTRES[nth % len(_CENTRES)]}
    street, city = _SITES[nth % len(_SITES)]
    return content | {"deliver_to": {"street": street, "city": city}}


async def _change(app: Holdfast, who: str, document_id: UUID, act: Act) -> UUID:
    async with app.tenant(TENANT, actor=who) as hold:
        if act.what == "edit":
            return (await hold.documents.update(document_id, act.given)).id
        reason = act.given.get("reason")
        return (await hold.documents.transition(document_id, act.what, reason=reason)).id


async def _decide(app: Holdfast, who: str, document_id: UUID, number: str, act: Act) -> None:
    async with app.tenant(TENANT, actor=who) as hold:
        asked = [each for each in (await hold.approvals.list(document_id=document_id)).items if each.status == "open"]
        node = act.given.get("node", "")
        request = next(each for each in asked if each.node_id.endswith(node))
        if act.what == "hand_over":
            whom, why = act.given["to"], "Finance asked for it: she knows the supplier"
            await hold.approvals.reassign(request.id, whom, reason=why, of="role:finance")
        elif act.what == "claim":
            await hold.approvals.claim(request.id)
        elif act.what == "answer":
            archive = act.given["archive_number"] + number[-4:]
            await hold.approvals.complete(request.id, act.given | {"archive_number": archive})
        elif act.what == "approve":
            await hold.approvals.decide(request.id, "approved")
        elif act.what == "returned":
            await hold.approvals.decide(request.id, "returned", reason=act.given["reason"])
        else:
            await hold.approvals.decide(request.id, "rejected", reason=act.given["reason"])
