"""An invoice on its way: the template library, a simulation told as a story, and a rebuild from stored rows."""

from __future__ import annotations

from holdfast.envelope.simulate import Choose, Decide, Person, World, simulate
from holdfast.envelope.templates import load_template
from holdfast.envelope.tokens import current_rows, fold, history_of_rows


def main() -> None:
    """Play a large invoice that one of two approvers rejects."""
    template = load_template("invoice_approval")
    world = World(
        people={"carla": Person("carla"), "finn": Person("finn", ("finance_manager",)), "bruno": Person("bruno")},
        org={"trusted_vendors": ["acme"]},
    )
    trace = simulate(
        template.workflow,
        {"number": "I-42", "vendor_id": "acme", "grand_total": "12500.00", "budget_owner": "bruno"},
        [
            Choose("submit", by="carla"),
            Decide("approved", by="finn", at="finance"),
            Decide("rejected", by="bruno", at="budget", reason="not in my budget"),
        ],
        world=world,
        scope=template.skeleton.scope(),
    )
    print(trace.render())

    # What a store would keep, one row for each step, is enough to know where the process stands.
    rows = current_rows(trace.steps)
    rebuilt = fold(template.workflow, history_of_rows(rows), instance=trace.position.instance)
    assert rebuilt == trace.position
    print(f"{len(rows)} rows rebuild the same position: {rebuilt.current_nodes}")


if __name__ == "__main__":
    main()
