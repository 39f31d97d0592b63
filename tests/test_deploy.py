"""What an operator is given to watch holdfast: alerts and a dashboard that ask for figures there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from holdfast import Holdfast

DEPLOY = Path(__file__).parent.parent / "deploy"
RULES = DEPLOY / "prometheus" / "holdfast.rules.yaml"
DASHBOARD = DEPLOY / "grafana" / "holdfast.json"
PROMTOOL = shutil.which("promtool") or shutil.which("promtool", path=Path(sys.executable).parent)


def asked() -> set[str]:
    """The figures that the alerts and the dashboard name."""
    rules = [rule["expr"] for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]
    panels = json.loads(DASHBOARD.read_text())["panels"]
    drawn = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(rules) > 10
    assert len(drawn) > 20
    return {name for expr in [*rules, *drawn] for name in re.findall(r"holdfast_\w+", expr)}


async def test_alerts_and_dashboard_ask_for_figures_that_are_told(app: Holdfast) -> None:
    families = list(text_string_to_metric_families((await app.metrics_text()).decode()))
    told = {family.name for family in families} | {f"{family.name}_total" for family in families}
    told |= {f"{family.name}_bucket" for family in families if family.type == "histogram"}
    assert asked() <= told, asked() - told


def test_every_figure_of_work_that_is_asked_for_has_its_state() -> None:
    from holdfast.metrics import WORK

    text = RULES.read_text() + json.dumps(json.loads(DASHBOARD.read_text())).replace('\\"', '"')
    for work, state in re.findall(r'holdfast_work\{work="(\w+)",state="(\w+)"\}', text):
        assert (work, state) in WORK
    for work in re.findall(r'holdfast_work\{work="(\w+)"\}', text):
        assert work in {each for each, _ in WORK}


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed (package prometheus)")
def test_promtool_accepts_the_alerts() -> None:
    done = subprocess.run([str(PROMTOOL), "check", "rules", str(RULES)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
