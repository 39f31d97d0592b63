"""Entering: what each type of node does when a token comes to it.

Here are the nodes that the process decides by itself: states and gates, conditions, splits and joins, loops. Those that
need something from outside are in `asking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from holdfast.envelope.compiled import CompiledNode
from holdfast.envelope.tokens.asking import ASKING, Enter, ask_custom
from holdfast.envelope.tokens.keys import join_key
from holdfast.envelope.tokens.position import Decision, Token, first_round
from holdfast.envelope.tokens.turn import Turn, expression_failure
from holdfast.errors import ExpressionError

__all__ = ["drain", "enter"]


def drain(turn: Turn) -> None:
    """Let every token go on until it rests or the turn is at its bound.

    A failed step inside a `for_each` is handed to its item.
    """
    board = turn.board
    while turn.failed or board.ready:
        if turn.failed:
            _fail_item(turn, turn.failed.pop(0))
            continue
        token = board.tokens.get(board.ready.popleft())
        while token is not None and token.state == "ready" and not turn.stops(token):
            enter(turn, token)
            token = board.tokens.get(token.id)


def enter(turn: Turn, token: Token) -> None:
    """Let one token enter its node."""
    node = turn.node(token)
    try:
        ENTER.get(node.type, ask_custom)(turn, token, node)
    except ExpressionError as problem:
        turn.end(token, "error", error=expression_failure(problem))


def _pass(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.end(token, "completed")


def _attachment(turn: Turn, token: Token, node: CompiledNode) -> None:
    if node.id not in turn.board.exits:
        turn.end(token, "completed")
        return
    turn.emit(token.id, node, "completed", "completed", output={"chosen_edge_ids": []})
    assert token.parent is not None
    _loop_on(turn, turn.board.tokens[token.parent])


def _end(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.emit(token.id, node, "completed", "completed", output={"chosen_edge_ids": []})
    turn.cancel_all("the process reached its end")


def _state(turn: Turn, token: Token, node: CompiledNode) -> None:
    here = {"doc_status": node.config["state"]}
    if node.waits:
        turn.open(token, "pending", output=here)
    else:
        turn.end(token, "completed", output=here)


def _gate(turn: Turn, token: Token, node: CompiledNode) -> None:
    config = node.config
    if not config.get("consumes_approvals"):
        turn.end(token, config["passes"])
        return
    decisions = turn.board.decisions
    if not decisions:
        asked = [{"kind": "role", "role": role, "pick": "everyone"} for role in config["roles"]]
        request = {"title": node.name, "approvers": asked, "required": "any", "outcomes": list(node.outcomes)}
        turn.send(token, "approval", request, awaited=True)
        turn.open(token, "pending")
        return
    against = [each for each in decisions if each.decision == "rejected"]
    output: dict[str, Any] = {"applied": [each.step for each in decisions]}
    if not against:
        turn.end(token, config["passes"], output=output)
        return
    output["reason"] = next((each.reason for each in against if each.reason), None)
    refusals = config["refuses"]
    if not refusals:
        error = {"code": "WORKFLOW_REFUSED", "message": f"{node.name} is refused, and no way leads back"}
        turn.end(token, "error", output=output, error=error)
        return
    turn.end(token, "rejected" if "rejected" in refusals else min(refusals), output=output)


def _condition(turn: Turn, token: Token, node: CompiledNode) -> None:
    text = node.config.get("expression")
    if text is None:
        turn.end(token, "completed")
        return
    holds, trace = turn.reader.holds(node, text, turn.roots(token))
    turn.end(token, "true" if holds else "false", output={"expressions": [{"field": "expression", **trace}]})


def _script(turn: Turn, token: Token, node: CompiledNode) -> None:
    given = {name: {"$expr": text} for name, text in node.config["assign"].items()}
    values = turn.reader.payload(node, "assign", given, turn.roots(token))
    turn.end(token, "completed", output={"set": values})


def _split(turn: Turn, token: Token, node: CompiledNode) -> None:
    turn.end(token, "completed")


def _join(turn: Turn, token: Token, node: CompiledNode) -> None:
    parent = turn.board.tokens.get(token.parent or "")
    fork = turn.board.forks.get(token.parent or "")
    if parent is None or fork is None or fork.join != node.id:
        turn.end(token, "completed")  # The step of a join that had fired and failed is tried again.
        return
    turn.emit(token.id, node, "completed", "arrived", output={"chosen_edge_ids": []})
    fork = turn.board.forks[parent.id]
    rejected = _rejection(turn, token) if node.config.get("first_rejection_ends") else None
    if len(fork.arrived) < fork.needed and rejected is None:
        return
    why = f"{node.name} went on without it"
    if len(fork.arrived) < fork.needed and rejected is not None:
        why = f"{rejected.by} rejected it at {turn.workflow.nodes_by_id[rejected.node].name}, which ends {node.name}"
        why += f": {rejected.reason}" if rejected.reason else ""
    losers = list(turn.board.kids.get(parent.id, ()))
    for loser in losers:
        turn.cancel(turn.board.tokens[loser], why)
    mode = turn.workflow.join_requirements[node.id].mode
    fired: dict[str, Any] = {"mode": mode, "arrived": list(fork.arrived), "cancelled": losers}
    if rejected is not None:
        fired["rejected"] = rejected.step
    key = join_key(turn.board.instance, node.id, fork.entity_version, parent.id)
    turn.end(turn.board.tokens[parent.id], "completed", at=node, output={"join": fired}, join_key=key)


def _rejection(turn: Turn, token: Token) -> Decision | None:
    """The decision against, made on the branch whose token this is, that no gate has used yet."""
    branch = first_round(token.id)
    return next(
        (
            each
            for each in turn.board.decisions
            if each.decision == "rejected"
            and (each.token == branch or each.token.startswith((f"{branch}~", f"{branch}.")))
        ),
        None,
    )


def _for_each(turn: Turn, token: Token, node: CompiledNode) -> None:
    items = turn.reader.value(node, node.config["items"], turn.roots(token))
    limit = node.config["max_items"]
    if not isinstance(items, list | tuple):
        error = {"code": "WORKFLOW_NOT_A_LIST", "message": f"{node.config['items']} is not a list"}
        turn.end(token, "error", error=error)
    elif len(items) > limit:
        error = {"code": "WORKFLOW_TOO_MANY_ITEMS", "message": f"{len(items)} items; at most {limit} are allowed"}
        turn.end(token, "error", error=error)
    else:
        turn.open(token, "running", input={"items": list(items), "mode": node.config["mode"]})
        _loop_on(turn, turn.board.tokens[token.id])


def _loop_on(turn: Turn, owner: Token) -> None:
    """End the loop when every item is done, or when one failed and the others are to be given up."""
    loop = turn.board.loops[owner.id]
    node = turn.workflow.nodes_by_id[loop.node]
    stop = loop.failed and node.config["on_error"] == "stop"
    if not stop and len(loop.results) < len(loop.items):
        return
    for child in list(turn.board.kids.get(owner.id, ())):
        turn.cancel(turn.board.tokens[child], "another item failed")
    results = [loop.results[index] for index in sorted(loop.results)]
    output: dict[str, Any] = {"results": results}
    if stop:
        error = next(each["error"] for each in results if each["outcome"] == "error")
        turn.end(owner, "error", output=output, error=error)
        return
    if node.config.get("save_as"):
        output["set"] = {node.config["save_as"]: results}
    turn.end(owner, "completed", output=output)


def _fail_item(turn: Turn, name: str) -> None:
    """A failed step inside an item ends the item; outside of any it stays, to be seen and tried again."""
    token = failed = turn.board.tokens.get(name)
    while token is not None and token.item is None:
        token = turn.board.tokens.get(token.parent or "")
    if token is None or failed is None or failed.step is None:
        return
    for child in list(turn.board.kids.get(token.id, ())):
        turn.cancel(turn.board.tokens[child], "the item failed")
    assert token.parent is not None
    owner = turn.board.tokens[token.parent]
    loop = turn.workflow.nodes_by_id[turn.board.loops[owner.id].node]
    exit_ = turn.workflow.nodes_by_id[turn.workflow.bodies[loop.id].exit]
    output = {"chosen_edge_ids": [], "stop": loop.config["on_error"] == "stop"}
    turn.emit(token.id, exit_, "completed", "error", output=output, error=failed.step.error)
    _loop_on(turn, turn.board.tokens[owner.id])


ENTER: Final[Mapping[str, Enter]] = {
    **ASKING,
    "attachment": _attachment,
    "condition": _condition,
    "end": _end,
    "for_each": _for_each,
    "lifecycle_gate": _gate,
    "parallel_join": _join,
    "parallel_split": _split,
    "script": _script,
    "state": _state,
    "start": _pass,
}
