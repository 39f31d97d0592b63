"""Would a lower threshold have mattered? Past expenses replayed through a draft of their definition."""

from __future__ import annotations

from holdfast.envelope import OrgWorkflowDefinition, compile_effective
from holdfast.envelope.templates import load_template
from holdfast.envelope.whatif import PastDocument, what_if


def main() -> None:
    """Replay three expenses with the threshold lowered from 100 to 50."""
    template = load_template("fast_track")
    text = template.definition.to_json().decode().replace("entity.amount < 100", "entity.amount < 50")
    draft = compile_effective(template.skeleton, OrgWorkflowDefinition.from_json(text))
    past = [
        PastDocument(f"E-{number}", {"number": f"E-{number}", "amount": amount, "requested_by": "emil"})
        for number, amount in enumerate(("20.00", "75.00", "500.00"), 1)
    ]
    report = what_if(template.workflow, draft, past, scope=template.skeleton.scope())
    print(report.render())
    assert [replay.name for replay in report.changed] == ["E-2"]


if __name__ == "__main__":
    main()
