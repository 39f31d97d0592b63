"""The five use cases the design was stress-tested with, each played from beginning to end."""

from __future__ import annotations

from typing import Any

import pytest

from envelope.flows import definition, play
from holdfast.envelope import Contract, automation_skeleton, compile_effective, generate_skeleton
from holdfast.envelope.simulate import (
    Act,
    Arrive,
    Choose,
    Decide,
    Edit,
    Finish,
    Pass,
    Person,
    Simulation,
    Trace,
    World,
    simulate,
)
from holdfast.envelope.templates import load_template
from holdfast.envelope.tokens import reasons
from holdfast.errors import InvalidInput


class TestAInvoiceFastLaneAndExceptionLane:
    """AP invoice: trusted and small passes by itself, large needs two in parallel, the rest one approval."""

    world = World(
        people={
            "carla": Person("carla", ("clerk",)),
            "finn": Person("finn", ("finance_manager",)),
            "bruno": Person("bruno", ("budget_owner",)),
        },
        org={"trusted_vendors": ["acme"]},
    )

    def invoice(self, total: str, vendor: str = "acme") -> Simulation:
        template = load_template("invoice_approval")
        document = {"number": "I-1", "vendor_id": vendor, "grand_total": total, "budget_owner": "bruno"}
        simulation = Simulation(template.workflow, document, world=self.world, scope=template.skeleton.scope())
        simulation.play(Choose("submit", by="carla"))
        return simulation

    def test_the_fast_lane(self) -> None:
        trace = self.invoice("500.00").trace()
        assert (trace.status, trace.doc_status) == ("completed", "active")
        assert "auto_approve" in trace.path
        assert [effect.payload["action"] for effect in trace.effects] == ["invoice.post"]
        [why] = trace.why("size")
        assert why.startswith("entity.grand_total <= 500 && entity.vendor_id in org.trusted_vendors is true because")
        assert why.endswith('500.00 <= 500 and "acme" is in ["acme"]')

    def test_a_cent_more_or_a_vendor_who_is_not_trusted_leaves_the_fast_lane(self) -> None:
        assert self.invoice("500.000000000000000001").trace().waiting_at() == ("chain",)
        assert self.invoice("10.00", vendor="initech").trace().waiting_at() == ("chain",)

    def test_the_exception_lane_needs_both_and_posts_once(self) -> None:
        simulation = self.invoice("10000.01")
        assert simulation.trace().waiting_at() == ("budget", "finance")
        simulation.play(Decide("approved", by="bruno", at="budget"))
        assert simulation.trace().waiting_at() == ("finance",)
        simulation.play(Decide("approved", by="finn", at="finance"))
        trace = simulation.trace()
        assert (trace.status, trace.doc_status) == ("completed", "active")
        assert [effect.kind for effect in trace.effects] == ["approval", "approval", "action"]
        joined = next(step for step in trace.steps if step.join_key)
        assert joined.output["join"] == {"mode": "all", "arrived": ["main.0", "main.1"], "cancelled": []}

    def test_a_rejection_at_any_approval_leads_back_to_draft_with_its_reason(self) -> None:
        for who, step in (("finn", "finance"), ("bruno", "budget")):
            simulation = self.invoice("20000.00")
            other = ("bruno", "budget") if who == "finn" else ("finn", "finance")
            simulation.play(Decide("rejected", by=who, at=step, reason="not ordered"))
            simulation.play(Decide("approved", by=other[0], at=other[1]))
            trace = simulation.trace()
            assert trace.doc_status == "draft"
            gate = [each for each in trace.steps if each.node == "sys:gate:approve"][-1]
            assert (gate.outcome, gate.output["reason"]) == ("rejected", "not ordered")

    def test_an_edit_during_the_approval_starts_an_amendment_that_is_approved_again(self) -> None:
        simulation = self.invoice("20000.00")
        simulation.play(Decide("approved", by="finn", at="finance"))
        simulation.play(Edit({"grand_total": "90000.00"}, by="carla"))
        trace = simulation.trace()
        assert len(trace.amended) == 1
        assert (trace.doc_status, trace.document["grand_total"]) == ("amended", "90000.00")
        closing = trace.histories["simulation-1"][-1]
        assert (closing.output["reason"], closing.output["changed"]) == ("amended", ["grand_total"])
        approval = next(step for step in trace.steps if step.outcome == "approved")
        assert closing.output["voided"] == [approval.key]

        simulation.play(Choose("submit", by="carla"))
        assert simulation.trace().waiting_at() == ("budget", "finance")


class TestBSalesOrderFulfilment:
    """Inventory, credit and warehouse at the same time; the first that settles the matter wins."""

    skeleton = generate_skeleton(
        Contract(
            entity_type="sales_order",
            document={
                "type": "object",
                "required": ["number", "grand_total", "customer"],
                "properties": {
                    "number": {"type": "string"},
                    "grand_total": {"type": "string", "format": "decimal"},
                    "customer": {
                        "type": "object",
                        "required": ["credit_available"],
                        "properties": {"credit_available": {"type": "string", "format": "decimal"}},
                    },
                },
            },
        )
    )
    slots = """
    slot:submitted_to_approved:
      exit_edge_mode: join
      nodes:
        - {id: fan_out, type: parallel_split}
        - {id: reserve, type: run, name: Reserve inventory, config: {run_type: inventory.reserve.v1, save_as: stock}}
        - id: credit
          type: script
          name: Credit check
          config: {assign: {credit_ok: entity.customer.credit_available >= entity.grand_total}}
        - {id: covered, type: condition, config: {expression: context.credit_ok == true}}
        - {id: backorder, type: wait_event, config: {event_key: "backorder:{entity.number}"}}
        - id: notify
          type: notification
          name: Notify warehouse
          config: {to: [{kind: role, role: warehouse}], subject: "Order {entity.number}"}
        - {id: picked, type: wait_event, config: {event_key: "picked:{entity.number}"}}
        - {id: first, type: parallel_join, config: {mode: any}}
        - {id: verdict, type: condition, config: {expression: context.credit_ok == true}}
        - {id: payment, type: wait_event, name: Payment required, config: {event_key: "payment:{entity.number}"}}
        - {id: release, type: action, run_as: system, config: {action: process.approve}}
      edges:
        - {source: in, target: fan_out}
        - {id: path_1, source: fan_out, target: reserve, priority: 1}
        - {id: path_2, source: fan_out, target: credit, priority: 3}
        - {id: path_3, source: fan_out, target: notify, priority: 2}
        - {source: reserve, target: first}
        - {source: credit, target: covered}
        - {source: covered, target: backorder, outcome: "true"}
        - {source: covered, target: first, outcome: "false"}
        - {source: backorder, target: first}
        - {source: notify, target: picked}
        - {source: picked, target: first}
        - {source: first, target: verdict}
        - {source: verdict, target: release, outcome: "true"}
        - {source: verdict, target: payment, outcome: "false"}
        - {source: payment, target: release}
        - {source: release, target: out}
    """

    def order(self, credit: str, script: str) -> Trace:
        document = {"number": "SO-1", "grand_total": "1000.00", "customer": {"credit_available": credit}}
        return play(self.skeleton, self.slots, document, "{}", f"[{{submit: {{by: sam}}}}, {script}]")

    def test_a_failed_credit_check_cancels_the_others_and_asks_for_payment(self) -> None:
        trace = self.order("999.99", "")
        assert trace.waiting_at() == ("payment",)
        assert trace.cancelled == ("reserve", "picked")
        # The reservation was asked for in the same breath as the check that failed: it never leaves.
        assert [effect.kind for effect in trace.effects] == ["in_app"]
        assert trace.why("verdict") == ["context.credit_ok == true is false because false != true"]

        paid = self.order("999.99", "{event: {key: 'payment:SO-1'}}")
        assert (paid.status, paid.doc_status) == ("completed", "active")

    @pytest.mark.parametrize(
        ("winner", "losers"),
        [
            ("{finish: {at: reserve, result: {bin: 7}}}", ("picked", "backorder")),
            ("{event: {key: 'backorder:SO-1'}}", ("reserve", "picked")),
            ("{event: {key: 'picked:SO-1'}}", ("reserve", "backorder")),
        ],
    )
    def test_with_credit_the_first_of_the_others_wins_and_the_rest_is_cancelled(
        self, winner: str, losers: tuple[str, ...]
    ) -> None:
        trace = self.order("1000.00", winner)
        assert (trace.status, trace.doc_status) == ("completed", "active")
        assert trace.cancelled == losers
        assert len([step for step in trace.steps if step.join_key]) == 1

    def test_a_reservation_that_comes_too_late_changes_nothing(self) -> None:
        with pytest.raises(InvalidInput, match="no open step at reserve"):
            self.order("1.00", "{finish: {at: reserve}}")


class TestCAmendmentLoop:
    """After an approval nothing can be changed silently."""

    def test_an_edit_after_the_approval_needs_a_new_approval_of_the_new_content(self) -> None:
        template = load_template("amendment_loop")
        world = World(people={"cora": Person("cora", ("contract_owner",)), "lex": Person("lex", ("legal",))})
        document = {"id": "C-1", "number": "C-1", "partner": "globex", "value": "1000.00"}
        simulation = Simulation(template.workflow, document, world=world, scope=template.skeleton.scope())

        simulation.play(Choose("submit", by="cora"))
        simulation.play(Decide("approved", by="lex"))
        first = simulation.trace()
        assert (first.status, first.doc_status) == ("completed", "active")
        assert first.position.decisions == (), "the approval is used up"

        simulation.play(Edit({"value": "9000.00"}, by="cora"))
        amended = simulation.trace()
        assert amended.amended == (document,), "the approved document stays as it was"
        assert amended.document["amended_from_id"] == "C-1"
        assert (amended.status, amended.doc_status) == ("running", "amended")

        simulation.play(Choose("submit", by="cora"))
        simulation.play(Finish("explain", result={"reason": "price increase"}))
        assert simulation.trace().waiting_at() == ("legal",)
        simulation.play(Decide("rejected", by="lex", reason="not agreed"))
        assert simulation.trace().doc_status == "draft"

    def test_a_decision_on_the_old_content_cannot_pass_the_new_one(self) -> None:
        template = load_template("amendment_loop")
        world = World(people={"lex": Person("lex", ("legal",))})
        document = {"number": "C-2", "partner": "globex", "value": "1000.00"}
        simulation = Simulation(template.workflow, document, world=world, scope=template.skeleton.scope())
        simulation.play(Choose("submit", by="cora"))
        pinned = next(iter(simulation.position.tokens.values())).step
        simulation.play(Edit({"value": "9000.00"}, by="cora"))
        assert pinned is not None
        old = simulation.trace().histories["simulation-1"]
        assert [step.status for step in old if step.key == pinned.key] == ["pending", "cancelled"]
        assert simulation.position.tokens["main"].node == "sys:state:amended"


class TestDWaitForAnEventAndEscalate:
    """A proof of delivery within 72 hours, or the logistics manager decides."""

    skeleton = generate_skeleton(
        Contract(
            entity_type="delivery",
            document={
                "type": "object",
                "required": ["shipment_id"],
                "properties": {"shipment_id": {"type": "string"}},
            },
        )
    )
    slots = """
    slot:submitted_to_approved:
      exit_edge_mode: join
      nodes:
        - id: pod
          type: wait_event
          name: Proof of delivery
          config: {event_key: "delivery:pod:{entity.shipment_id}", save_as: pod, timeout: 72h}
        - {id: confirm, type: action, run_as: system, config: {action: process.approve}}
        - id: alarm
          type: notification
          config:
            channel: email
            to: [{kind: role, role: logistics_manager}]
            subject: "Shipment {entity.shipment_id} unconfirmed after 72h"
        - {id: escalation, type: approval, config: {approvers: [{kind: role, role: logistics_manager}]}}
      edges:
        - {source: in, target: pod}
        - {source: pod, target: confirm}
        - {source: pod, target: alarm, outcome: timeout}
        - {source: confirm, target: out}
        - {source: alarm, target: escalation}
        - {source: escalation, target: out, outcome: approved}
        - {source: escalation, target: out, outcome: rejected}
    """
    world = World(people={"leo": Person("leo", ("logistics_manager",))})

    def delivery(self, *acts: Any) -> Trace:
        workflow = compile_effective(self.skeleton, definition(self.skeleton, self.slots))
        script = [Choose("submit", by="dora"), *acts]
        return simulate(workflow, {"shipment_id": "S-9"}, script, world=self.world, scope=self.skeleton.scope())

    def test_the_event_confirms_the_delivery(self) -> None:
        trace = self.delivery(Pass("71h"), Arrive("delivery:pod:S-9", {"signed": "kim"}))
        assert (trace.status, trace.doc_status) == ("completed", "active")
        assert trace.position.context == {"pod": {"signed": "kim"}}
        assert trace.effects == ()

    def test_the_event_of_another_shipment_does_not(self) -> None:
        assert self.delivery(Arrive("delivery:pod:S-8")).waiting_at() == ("pod",)

    def test_an_event_that_came_too_early_is_kept_and_found(self) -> None:
        workflow = compile_effective(self.skeleton, definition(self.skeleton, self.slots))
        script: list[Act] = [Arrive("delivery:pod:S-9", {"signed": "kim"}), Choose("submit", by="dora")]
        trace = simulate(workflow, {"shipment_id": "S-9"}, script, world=self.world, scope=self.skeleton.scope())
        assert trace.status == "completed"
        late = simulate(
            workflow,
            {"shipment_id": "S-9"},
            [Arrive("delivery:pod:S-9"), Pass("8d"), Choose("submit")],
            scope=self.skeleton.scope(),
        )
        assert late.waiting_at() == ("pod",), "but not for ever"

    def test_after_72_hours_the_manager_is_told_and_decides(self) -> None:
        trace = self.delivery(Pass("72h"))
        assert trace.waiting_at() == ("escalation",)
        mail = trace.effects[0]
        assert (mail.kind, mail.payload["subject"]) == ("email", "Shipment S-9 unconfirmed after 72h")
        assert self.delivery(Pass("72h"), Decide("approved", by="leo")).doc_status == "active"
        assert self.delivery(Pass("72h"), Decide("rejected", by="leo", reason="lost")).doc_status == "draft"

    def test_a_proof_that_comes_after_the_escalation_is_not_mistaken_for_anything(self) -> None:
        assert self.delivery(Pass("73h"), Arrive("delivery:pod:S-9")).waiting_at() == ("escalation",)


class TestEFranchiseRoyaltyCycle:
    """On the first of the month: statement, audit if something is odd, and off to the franchisee's portal."""

    skeleton = automation_skeleton("royalty")
    slots = """
    slot:main:
      nodes:
        - {id: month, type: wait_timer, name: First of the month, config: {cron: "0 6 1 * *"}}
        - {id: statement, type: action, config: {action: royalty.generate, save_as: statement}}
        - {id: odd, type: condition, config: {expression: context.statement.anomalies > 0}}
        - {id: audit, type: approval, name: Audit, config: {approvers: [{kind: role, role: franchise_ops}]}}
        - id: portal
          type: webhook_out
          config:
            url: "https://portal.example/{payload.franchisee}"
            body: {pdf: {$expr: context.statement.link}}
      edges:
        - {source: in, target: month}
        - {source: month, target: statement}
        - {source: statement, target: odd}
        - {source: odd, target: audit, outcome: "true"}
        - {source: odd, target: portal, outcome: "false"}
        - {source: audit, target: portal, outcome: approved}
        - {source: audit, target: statement, outcome: rejected, returns: true}
        - {source: portal, target: out}
    """

    def cycle(self, anomalies: Any, *acts: Any) -> Trace:
        workflow = compile_effective(self.skeleton, definition(self.skeleton, self.slots))
        listed = anomalies if isinstance(anomalies, list) else [anomalies]
        world = World.from_data(
            {
                "start": "2026-01-20T10:00:00+00:00",
                "people": {"fay": {"roles": ["franchise_ops"]}},
                "answers": {"royalty.generate": [{"result": {"anomalies": n, "link": f"pdf/{n}"}} for n in listed]},
            }
        )
        return simulate(workflow, {}, acts, world=world, scope=self.skeleton.scope(), payload={"franchisee": "f-7"})

    def test_nothing_happens_before_the_first_of_the_month(self) -> None:
        assert self.cycle(0, Pass("11d")).waiting_at() == ("month",)

    def test_an_ordinary_month_goes_straight_to_the_portal(self) -> None:
        trace = self.cycle(0, Pass("2w"), Finish("portal", result={"status": 202}))
        assert trace.status == "completed"
        assert trace.path == ("month", "statement", "odd", "portal")
        fired = next(step for step in trace.steps if step.node.endswith(":month") and not step.is_open)
        assert fired.at == "2026-02-01T06:00:00.000000+00:00"
        sent = trace.effects[-1]
        assert sent.payload["url"] == "https://portal.example/f-7"
        assert sent.payload["body"] == {"pdf": "pdf/0"}

    def test_an_odd_month_is_audited_first_and_redone_when_the_audit_objects(self) -> None:
        trace = self.cycle([3, 0], Pass("2w"), Decide("rejected", by="fay", reason="wrong base"))
        assert trace.path == ("month", "statement", "odd", "audit", "statement", "odd")
        assert trace.waiting_at() == ("portal",)
        assert "3 > 0" in trace.why("odd")[0]
        assert "0 <= 0" in trace.why("odd")[1]

    def test_the_evidence_trail_names_every_step_and_its_reason(self) -> None:
        trace = self.cycle(3, Pass("2w"), Decide("approved", by="fay"), Finish("portal"))
        told = [(reason.node.rsplit(":", 1)[-1], reason.because) for reason in reasons(trace.workflow, trace.steps)]
        assert ("audit", "the outcome was approved") in told
        assert trace.status == "completed"
