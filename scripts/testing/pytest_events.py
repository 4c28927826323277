"""A plugin of pytest: it appends what happens to a file (see results.py), and chooses tests by a part of their name.

Use: python -m pytest -p pytest_events --events FILE [--containing TEXT] [--leave-out FILE]
"""

import json
import pathlib

import pytest


def pytest_addoption(parser):
    parser.addoption("--events", help="the file to which events are appended")
    parser.addoption("--containing", help="run only tests with this text in their name")
    parser.addoption("--leave-out", help="a JSON list of beginnings of names; these tests are left out")


def pytest_configure(config):
    # With several processes the first one hears of all results.
    if config.option.events and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Events(pathlib.Path(config.option.events)), "segmance-events")


def pytest_collection_modifyitems(config, items):
    wanted = config.option.containing
    left_out = tuple(json.loads(pathlib.Path(config.option.leave_out).read_text())) if config.option.leave_out else ()
    chosen, left, others = [], [], []
    for item in items:
        if wanted is not None and wanted not in item.nodeid:
            others.append(item)
        elif left_out and item.nodeid.startswith(left_out):
            left.append(item)
        else:
            chosen.append(item)
    if left or others:
        config.hook.pytest_deselected(items=left + others)
        items[:] = chosen
    # Each process of several collects the same tests; the first of them tells.
    is_first = getattr(config, "workerinput", {}).get("workerid", "gw0") == "gw0"
    if left and is_first and config.option.events:
        tell(config.option.events, kind="left", count=len(left))


def tell(path, **event):
    """Appends an event to the file."""
    with open(path, "a") as file:
        file.write(json.dumps(event) + "\n")


class Events:
    """Joins the reports of a test's set-up, call and tear-down to one result."""

    def __init__(self, path):
        self.path = path
        self.reports = {}
        self.has_plan = False

    def tell(self, **event):
        tell(self.path, **event)

    def plan(self, count):
        if not self.has_plan:
            self.has_plan = True
            self.tell(kind="planned", count=count)

    def pytest_collection_finish(self, session):
        # With several processes only these have collected, and each tells below.
        if session.items or not session.config.pluginmanager.hasplugin("dsession"):
            self.plan(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        self.plan(len(ids))

    def pytest_collectreport(self, report):
        if report.failed:
            self.tell(
                kind="test", name=report.nodeid, file=report.nodeid, line=0, outcome="failed", seconds=0,
                message=report.longreprtext)

    def pytest_runtest_logstart(self, nodeid, location):
        self.tell(kind="started", name=nodeid)

    def pytest_runtest_logreport(self, report):
        self.reports.setdefault(report.nodeid, []).append(report)
        # "???" is the report of a process that died during the test.
        if report.when in ("teardown", "???"):
            self.end(report.nodeid)

    def end(self, nodeid):
        reports = self.reports.pop(nodeid)
        failed = [report for report in reports if report.failed]
        skipped = [report for report in reports if report.skipped]
        file, line, _ = reports[0].location
        message = ""
        if failed:
            message = "\n".join(report.longreprtext for report in failed)
            crash = getattr(failed[0].longrepr, "reprcrash", None)
            if crash and crash.path.endswith(file):
                line = crash.lineno - 1
        elif skipped:
            reason = skipped[0].longrepr
            message = reason[2] if isinstance(reason, tuple) else str(reason)
        self.tell(
            kind="test", name=nodeid, file=file, line=(line or 0) + 1,
            outcome="failed" if failed else "skipped" if skipped else "passed",
            seconds=sum(report.duration for report in reports), message=message)
