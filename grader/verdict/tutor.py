"""Says why a step is not right: which known mistakes it shows, how far it is right, and what its source gives away."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.diagnosis import evidence, sentences
from grader.diagnosis.also_wrong import at_another_rate, behind, besides, line_of_dropout, places_of, unread_besides
from grader.diagnosis.as_written import as_written
from grader.diagnosis.changes.pieces import Scope
from grader.diagnosis.changes.told import all_that_is_wrong, wrong_besides
from grader.diagnosis.changes.trials import Trials
from grader.diagnosis.clues.arguments import reordered
from grader.diagnosis.clues.lost import lost
from grader.diagnosis.clues.spans import unread
from grader.diagnosis.clues.unused import passed_by
from grader.diagnosis.clues.zeros import is_divided_by_zero
from grader.diagnosis.copying import left_by_copy
from grader.diagnosis.diagnose import Diagnostician, listed
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.findings import of_shape
from grader.diagnosis.follow import Follower
from grader.diagnosis.joinings import along_another_axis, joined_along
from grader.diagnosis.other_cases import divided_elsewhere
from grader.diagnosis.places.copies import copied_at, left_out, only_named, unmentioned, written_back
from grader.diagnosis.places.heads import looped
from grader.diagnosis.places.statements import Told
from grader.diagnosis.places.texts import short
from grader.diagnosis.remarks import of_rate
from grader.diagnosis.source.definition import result_line, returned_without_torch
from grader.diagnosis.source.reached import is_past, is_unreached
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge.checks.asking import RESULT
from grader.judge.checks.copies import Copies
from grader.judge.checks.kernels import Kernels
from grader.judge.checks.output import Output
from grader.judge.summaries import NO_FLOATS, is_said, number_of
from grader.model.check import Question
from grader.model.pack import Exercise, Step
from grader.model.profile import phase
from grader.model.report import Status
from grader.model.run import World
from grader.model.text import clean
from grader.verdict.credit import followed
from grader.verdict.examined import Examined, lacks_results
from grader.words import heard, say


@dataclass(slots=True)
class Tutor:
    """Explains the steps of one solution."""

    bench: Workbench
    diagnostician: Diagnostician
    follower: Follower
    trials: Trials

    @phase("diagnose")
    def explained(self, exercise: Exercise, step: Step, world: World, examined: Examined) -> Examined:
        """The outcome of a step that failed or raised, with all that there is to say of it."""
        return self._with_besides(world, self._of_first(exercise, step, world, examined))

    def _of_first(self, exercise: Exercise, step: Step, world: World, examined: Examined) -> Examined:
        """With what there is to say of what its summary speaks of."""
        tree = parsed(self.bench.source(exercise))
        found = reordered(tree, step.of, exercise.definitions[step.of].arguments)
        if found is not None and self.bench.load(exercise.id, world) is None:
            return self._of_reordered(exercise, step, world, examined, found)
        if not examined.mistakes and self.bench.checks[step.check].explained:
            examined = self._named(exercise, step, world, examined, tree)
        if examined.status is Status.FAILED and not examined.mistakes and examined.question is not None:
            examined = self._remarked(examined.question, world, examined, tree)
        examined = followed(self.bench, self.follower, exercise, step, world, examined)
        if self.bench.tries:
            examined = self._tried(exercise, step, world, examined)
        examined = self._past_fault(exercise, step, world, examined)
        if step.check == Kernels.name and examined.status is Status.FAILED and not examined.is_placed:
            examined = replace(examined, line=looped(tree, step.of) or examined.line)
        is_placed = examined.mistakes or examined.question is None  # of no question, nothing was computed
        is_held = exercise.definitions[step.of].is_class and step.check != Output.name  # and so is no result
        if examined.status is Status.ERROR or is_placed or is_held:
            return examined
        # What a case says is what was called in a check of one call alone: dropout's is made in both modes.
        numbers = _numbers(examined.question) if step.check == Output.name and examined.question is not None else {}
        # Nothing is known of where a function goes wrong, but its result is nearer to that than its first line is.
        line = result_line(tree, examined.line, number_of(examined.summary), numbers)
        if is_said(NO_FLOATS, examined.summary):
            line = returned_without_torch(tree, examined.line) or line
        if step.check == Copies.name and not examined.is_placed:  # which has no result
            others = filter(None, (heard("check.copy-of-another", note) for note in examined.notes))
            about = examined.about or next((each["slot"] for each in others), "")
            line = copied_at(tree, step.of, about) or line
        return replace(examined, line=line)

    def _of_reordered(self, exercise: Exercise, step: Step, world: World, examined: Examined, found: Told) -> Examined:
        """Where arguments come in another order, which is the one thing to say; its line may be told already."""
        said, line = found
        is_told = examined.status is Status.ERROR and examined.line == line
        remark = "" if is_told else said
        examined = replace(examined, mistakes=(), notes=(*examined.notes, *filter(None, [remark])), remark=remark)
        examined = followed(self.bench, self.follower, exercise, step, world, examined)
        return replace(examined, file=exercise.file, line=line, stage=None)

    def _named(self, exercise: Exercise, step: Step, world: World, examined: Examined, tree: ast.Module) -> Examined:
        """With the known mistakes that the results show, and what was computed in vain where one is missing."""
        mistakes = tuple(
            each
            for each in self._unless_elsewhere(examined, world, self.diagnostician.of_results(exercise, step, world))
            if examined.status is not Status.ERROR or _can_end_so(examined, exercise, tree, each)
        )
        mistakes = self._fitting(exercise, step, world, mistakes)
        if examined.status is Status.ERROR:
            passing, fault, line = self.diagnostician.passing, examined.fault, examined.ended
            more_behind = passing.of_mistakes(exercise, step, mistakes, fault, line, world)
            mistakes = listed(exercise, (*mistakes, *more_behind))
        if not mistakes and examined.question is not None:
            mistakes = along_another_axis(examined.question, examined.summary, tree)
        mistakes, notes = as_written(mistakes, tree, step.of, examined.question)
        if examined.question is not None:
            notes += joined_along(examined.question, examined.summary, mistakes)
        told = {each.said for each in mistakes}
        before = tuple(note for note in examined.notes if note not in told)
        examined = replace(examined, remark="" if examined.remark in told else examined.remark)
        if mistakes:  # which say why
            before = tuple(note for note in before if heard("judge.nearly", note) is None)
        if any(each.id == "values-unprojected" for each in mistakes):  # which says of what is blended what it says too
            examined = _without(examined, ("judge.blended",))
            before = tuple(note for note in before if note in examined.notes)
        mistakes, more = self._unless_right_behind(examined, world, mistakes, tree)
        notes += more
        if any(each.id == "input-mutated" for each in mistakes):  # which is told already
            before = tuple(note for note in before if heard("check.writes-into", note) is None)
            if step.check == Copies.name and (back := written_back(tree, step.of)):
                said = say("judge.copied-back", code=short(back))
                mistakes = tuple(replace(each, said=said) if each.id == "input-mutated" else each for each in mistakes)
                before = tuple(note for note in before if heard("check.copy-absent", note) is None)  # which comes of it
        return replace(examined, mistakes=mistakes, notes=(*before, *notes))

    def _unless_elsewhere(self, examined: Examined, world: World, mistakes: tuple[Mistake, ...]) -> Iterator[Mistake]:
        """Those that what else was seen does not speak against: other cases, and a division by zero."""
        question = examined.question
        others = self.diagnostician.of_other_cases(question, world) if question is not None else set()
        if question is not None and not others.issuperset(each.id for each in mistakes):  # something else spoilt it
            others = self.diagnostician.of_other_cases(question, world, beside=True)
        if is_divided_by_zero(examined.notes):  # which comes of nothing else
            others = {*others, "input-mutated", "dropout-unscaled"}
        return (each for each in mistakes if each.id not in others)

    def _unless_right_behind(
        self, examined: Examined, world: World, mistakes: tuple[Mistake, ...], tree: ast.Module
    ) -> tuple[tuple[Mistake, ...], list[str]]:
        """Without a tensor of the caller's that is written into where all is right behind that, which is only noted."""
        question = examined.question
        written = next((each for each in mistakes if each.id == "input-mutated"), None)
        if written is None or question is None or question.step.options.get("unchanged"):
            return mistakes, []
        if not is_past(tree, written.line, self.follower.right_until(question, world)):
            return mistakes, []
        names = ", ".join(examined.answers[question.case].written.get(RESULT, ()))
        said = [say("check.writes-into", name=names)] if names else []
        return tuple(each for each in mistakes if each is not written), said

    def _fitting(
        self, exercise: Exercise, step: Step, world: World, mistakes: tuple[Mistake, ...]
    ) -> tuple[Mistake, ...]:
        """Those of a definition's mistakes that its step can show: a mask fits where no sequence is shorter."""
        is_shorter = any(evidence.is_shorter(case) for case in self.bench.cases(exercise, step, world))
        return tuple(each for each in mistakes if each.id != "mask-not-sliced" or is_shorter)

    def _remarked(self, question: Question, world: World, examined: Examined, tree: ast.Module) -> Examined:
        """With what is said where no mistake is known: of what a copy left as it was, or a result that nobody keeps."""
        left, held = left_by_copy(self.diagnostician.asker, question, world)
        by_loop = left_out(tree, question.step.of, left, held) if left else None
        if left and not by_loop and (function := unmentioned(tree, question.step.of, left, held)):
            examined = replace(_without(examined, ("check.copy-absent",)), about=left[0])
            said = say("judge.copy-unmentioned", names=clean(", ".join(left), 200))
            return _told_at(examined, said, function.lineno)
        absent = next((note for note in examined.notes if heard("check.copy-absent", note) is not None), "")
        lacking = (heard("check.copy-absent", absent) or {"names": ""})["names"].split(", ")
        if absent and not left and (function := unmentioned(tree, question.step.of, lacking, held)):
            examined = replace(_without(examined, ("check.copy-absent",)), about=lacking[0])
            return _told_at(examined, absent, function.lineno)
        if left:
            # Which is more than that it holds none of the numbers that it should.
            others = [said for said in examined.notes if heard("check.copy-absent", said) is None]
            names = clean(", ".join(left), 200)
            if by_loop:
                said = say("judge.copy-leaves-out", code=short(by_loop[0]), name=clean(by_loop[1], 60))
                return _told_at(replace(examined, notes=tuple(others), about=left[0]), said, by_loop[0].lineno)
            examined = replace(examined, notes=(*others, say("judge.copy-left", names=names)), about=left[0])
            if found := only_named(tree, question.step.of, left):
                node, place = found
                said = say("judge.copy-named", code=short(node), place=clean(place, 80))
                return _told_at(examined, said, node.lineno)
        is_sought = not examined.is_placed and self.bench.checks[question.step.check].explained
        told = lost(tree, question.step.of) if is_sought else None
        if is_sought and told is None and not lacks_results(examined):
            told = passed_by(tree, question.step.of)
        if told is None or is_past(tree, told[1], self.follower.right_until(question, world)):
            name = unread(tree, question.step.of) if is_sought and not examined.remark else ""
            more = [say("judge.unread", name=clean(name, 60))] if name else []
            return replace(examined, notes=(*examined.notes, *more))
        return _told_at(replace(examined, file=question.exercise.file), *told)

    def _tried(self, exercise: Exercise, step: Step, world: World, examined: Examined) -> Examined:
        """With the pieces of the source that are all that is wrong, where so few are found.

        Where something is told of a line already, with those in other lines that are wrong as well.
        """
        question = self._to_try(exercise, step, world, examined)
        if question is None:
            return examined
        raised = examined.line if examined.frames else 0
        lacking = tuple(sorted(self.trials.lacking(question, world, raised), key=lambda each: each.begin))
        if not lacking:
            return examined
        source = self.bench.joined(exercise)
        if raised or not (examined.is_placed or examined.remark):
            examined = replace(examined, file=exercise.file, column=0, frames=(), besides=())  # which it makes right
            scope = self.trials.scope(question, world, lacking, is_raised=bool(raised))
            said = all_that_is_wrong(lacking, source, scope, step.of)
            examined = _without(examined, ("judge.unread",))  # of what that piece is to read
            return _told_at(examined, said, lacking[0].line)
        others = [each for each in lacking if each.line != examined.line]
        if not 0 < len(others) < len(lacking) or self.trials.scope(question, world, lacking) is not Scope.FILE:
            return examined
        return replace(examined, notes=(*examined.notes, *(wrong_besides(each, source) for each in others)))

    def _past_fault(self, exercise: Exercise, step: Step, world: World, examined: Examined) -> Examined:
        """With notes on the known mistakes behind what is none itself and keeps results away, where that is not all."""
        is_all = any(heard("judge.rest-is-right", note) for note in examined.notes)
        if examined.fault is None or examined.mistakes or is_all or not self.bench.checks[step.check].explained:
            return examined
        found = self.diagnostician.passing.of_fault(exercise, step, examined.fault, examined.ended, world)
        if found and (misshapen := of_shape(examined.fault, parsed(self.bench.source(exercise)), step.of)):
            return replace(examined, mistakes=listed(exercise, (misshapen, *found)))
        notes = (
            behind(exercise.mistakes[each.id], each, self.bench.joined(exercise), examined.line)
            for each in found
            if each.id in exercise.mistakes
        )
        return replace(examined, notes=(*examined.notes, *notes))

    def _with_besides(self, world: World, examined: Examined) -> Examined:
        """With notes on what else is wrong, in the same answer or on another case."""
        question, notes = examined.question, examined.notes
        if examined.status is not Status.FAILED or question is None:
            return examined
        tree, of = parsed(self.bench.source(question.exercise)), question.step.of
        source = self.bench.joined(question.exercise)
        is_class = question.exercise.definitions[of].is_class
        line = line_of_dropout(examined.summary, tree, of, is_class=is_class)
        if line and not examined.mistakes and not examined.is_placed:
            examined = replace(examined, file=question.exercise.file, line=line)
        marked = {each.line for each in examined.mistakes} or {examined.line}
        if examined.mistakes and (other := of_rate(question, tree)):
            notes += at_another_rate(other, source, marked)
        if not examined.remark:  # which speaks of all that it says
            notes += places_of(examined.summary, tree, of, source, marked)
        notes += besides(examined.besides, tree, of, source, marked)
        is_all = any(heard("judge.rest-is-right", note) for note in notes)
        if examined.is_placed and not is_all and not any(heard("judge.unread", note) for note in notes):
            notes += unread_besides(question, tree, source, marked)
        if question.step.check == Output.name and not is_class and not is_all and not is_divided_by_zero(notes):
            notes += divided_elsewhere(question, self.diagnostician.asker, tree, source, world)
        return replace(examined, notes=notes)

    def _to_try(self, exercise: Exercise, step: Step, world: World, examined: Examined) -> Question | None:
        """What changes are tried on: what a step fails by or raises, where no mistake is named.

        None where there is nothing, as where nothing was computed.
        """
        is_explained = self.bench.checks[step.check].explained
        if examined.mistakes:
            return None
        if examined.frames and is_explained:
            public = next((case for case in self.bench.cases(exercise, step, world) if case.is_public), None)
            return self.diagnostician.asker.question(exercise, step, public) if public is not None else None
        is_told = examined.is_placed or bool(examined.remark)
        is_failed = examined.status is Status.FAILED
        return examined.question if is_failed and (is_explained or not is_told) else None  # of draws one line is told


def _without(examined: Examined, keys: Sequence[str]) -> Examined:
    """Without what is said by some keys."""
    notes = tuple(note for note in examined.notes if not is_said(keys, note))
    return replace(examined, notes=notes, remark=examined.remark if examined.remark in notes else "")


def _told_at(examined: Examined, said: str, line: int) -> Examined:
    """With a note that speaks of a line of the file that it is about, which is where a stage goes wrong too."""
    stage = replace(examined.stage, file=examined.file, line=line) if examined.stage is not None else None
    return replace(examined, notes=(*examined.notes, said), line=line, is_placed=True, remark=said, stage=stage)


def _numbers(question: Question) -> dict[str, float | bool]:
    """The numbers among the arguments of a case, as its rubric gives them or as they were drawn."""
    drawn = {name: array.item() for name, array in question.case.inputs.items() if array.ndim == 0}
    given = {**question.case.template.inputs, **drawn}
    return {name: value for name, value in given.items() if isinstance(value, int | float)}


def _can_end_so(examined: Examined, exercise: Exercise, tree: ast.Module, mistake: Mistake) -> bool:
    """Whether a mistake's line was reached before an exception ended it, and a mask that is too wide could be why."""
    if examined.file == exercise.file and is_unreached(tree, examined.ended or examined.line, mistake.line):
        return False
    return mistake.id != "mask-not-sliced" or sentences.tells_of_shapes(examined.summary)
