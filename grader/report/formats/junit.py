"""The format `junit`: XML that CI services read. An exercise is a suite, a step a case.

There is no standard; this keeps to what Jenkins' schema takes
(https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd).
Jenkins reads a failure's attribute `message` and its text and splits `classname` at its last dot; GitLab reads the text
alone, shows `classname` as the suite and drops all but one of equal names.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from grader.model.errors import ExitCode
from grader.model.report import ERRORS, FINE, ExerciseResult, Report, Status, Verdict
from grader.model.text import clean
from grader.report.formats.told import LONGEST, explanation, title
from grader.words import say

# https://www.w3.org/TR/xml/#charsets: what no XML holds, escaped or not. ElementTree writes it all the same.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class JUnit:
    """One XML document."""

    name = "junit"

    def render(self, report: Report) -> str:
        suites = [_suite(result, report) for result in report.exercises]
        return _document(suites, {"time": f"{report.seconds:.3f}"}, clean(report.submission["id"], 60))

    def failed(self, why: str, code: ExitCode) -> str:
        """An error of a case of the grader's own, and no case of the student's."""
        suite = ElementTree.Element("testsuite", {"name": "grader", **_counts(tests=1, errors=1)})
        case = ElementTree.SubElement(suite, "testcase", {"classname": "grader", "name": "could grade"})
        ElementTree.SubElement(case, "error", {"message": _text(why), "type": code.name.lower()}).text = _text(why)
        return _document([suite], {}, "not graded")


def _suite(result: ExerciseResult, report: Report) -> ElementTree.Element:
    statuses = [step.status for step in result.steps]
    skipped = statuses.count(Status.UNAVAILABLE)
    errors = sum(status in ERRORS for status in statuses)
    failures = sum(status not in (*ERRORS, *FINE) for status in statuses)
    counts = _counts(tests=len(statuses), failures=failures, errors=errors, skipped=skipped)
    suite = ElementTree.Element("testsuite", {"name": _text(f"{result.id}: {result.title}"), **counts})
    for step in result.steps:
        # No dot but the one that parts the two: Jenkins takes what stands before it for a package.
        classname = f"{_text(report.pack['name']).replace('.', '_')}.{_text(result.id).replace('.', '_')}"
        case = ElementTree.SubElement(suite, "testcase", {"classname": classname, "name": _text(title(step))})
        _outcome(case, step, report)
    return suite


def _outcome(case: ElementTree.Element, step: Verdict, report: Report) -> None:
    if step.status is Status.PASSED:
        return
    said = list(explanation(step, report.sources))
    if step.status is Status.UNAVAILABLE:
        ElementTree.SubElement(case, "skipped", {"message": _text(said[0])})
        return
    kind = "error" if step.status in ERRORS else "failure"
    named = step.diagnosis[0].id if step.diagnosis else step.status.value
    message = _text(said[0] if said else say(f"status.{step.status}"))
    told = ElementTree.SubElement(case, kind, {"message": message, "type": _text(named)})
    told.text = "\n".join(map(_text, said)) or message


def _counts(*, tests: int, failures: int = 0, errors: int = 0, skipped: int = 0) -> dict[str, str]:
    counts = {"tests": tests, "failures": failures, "errors": errors, "skipped": skipped}
    return {name: str(count) for name, count in counts.items()}


def _document(suites: list[ElementTree.Element], attributes: dict[str, str], name: str) -> str:
    totals = {kind: str(sum(int(suite.get(kind, "0")) for suite in suites)) for kind in ("tests", "failures", "errors")}
    root = ElementTree.Element("testsuites", {"name": _text(name), **totals, **attributes})
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _text(text: str) -> str:
    return NO_XML.sub("", text)[: LONGEST * 2]
