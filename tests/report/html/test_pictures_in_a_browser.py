"""Pictures as a browser draws them: of matrices, of heads, of softmax; large ones as images, described in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from grader.model.report import CELLWISE, ExerciseResult, Picture, Shares
from grader.report.html.bitmap import CELL
from grader.report.html.student import student_page

from ..hand_made import FAILED, REPORT
from .browser import complaints, requests, show

# Of so many heads these are right.
HEADS, RIGHT = range(8), (0, 1, 5)


def test_a_large_picture_is_drawn_from_the_page_itself_and_described(chrome: Chrome, tmp_path: Path) -> None:
    size = CELLWISE + 4
    expected = tuple(tuple(1.0 / (r + 1) if c <= r else 0.0 for c in range(size)) for r in range(size))
    got = tuple(tuple(1.0 / size for _ in range(size)) for _ in range(size))
    step = replace(FAILED, picture=Picture("long", "weights", ("",), (expected,), (got,), 0, 0))
    report = replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Causal mask", (step,)),))
    (tmp_path / "page.html").write_text(student_page(report), "utf-8")
    complaints(chrome)  # those of an earlier test
    requests(chrome)

    show(chrome, tmp_path / "page.html")
    images = chrome.find_elements(By.CSS_SELECTOR, ".pair img")

    assert [image.get_property("naturalWidth") for image in images] == [size * CELL] * 2
    assert images[0].get_attribute("alt") == f"Expected weights, {size} × {size}, from 0.00 to 1.00."
    assert "The first wrong cell is row 0, column 0: 0.05, expected 1.00." in str(images[1].get_attribute("alt"))
    assert not chrome.find_elements(By.CSS_SELECTOR, ".pair svg, table.numbers")
    assert [address.partition(":")[0] for address in requests(chrome)] == ["file", "data", "data"]
    assert complaints(chrome) == []


def test_heads_stand_in_a_grid_that_wraps_and_softmaxes_beside_each_other(chrome: Chrome, tmp_path: Path) -> None:
    size = 6
    causal = tuple(tuple(1.0 / (r + 1) if c <= r else 0.0 for c in range(size)) for r in range(size))
    expected = (causal,) * len(HEADS)
    got = tuple(causal if head in RIGHT else causal[::-1] for head in HEADS)
    picture = Picture("lesson", "weights", tuple(f"[0, {head}]" for head in HEADS), expected, got, 0, 0, RIGHT)
    shares = Shares("lesson", ("scores", "scaled"), expected[:2], own=got[0])
    step = replace(FAILED, picture=picture, shares=shares)
    report = replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Causal mask", (step,)),))
    (tmp_path / "page.html").write_text(student_page(report), "utf-8")
    complaints(chrome)  # those of an earlier test

    show(chrome, tmp_path / "page.html")
    heads, softmaxes = chrome.find_elements(By.CSS_SELECTOR, ".pairs")
    places = [pair.rect for pair in heads.find_elements(By.CSS_SELECTOR, ".pair")]
    drawn = [pair.rect for pair in softmaxes.find_elements(By.CSS_SELECTOR, ".pair")]

    assert len(places) == len(HEADS)
    in_rows = Counter(place["y"] for place in places)
    assert len(in_rows) > 2
    assert all(count > 1 for row, count in in_rows.items() if row != max(in_rows))
    assert all(place["x"] + place["width"] <= heads.rect["x"] + heads.rect["width"] for place in places)
    assert len(heads.find_elements(By.TAG_NAME, "svg")) == 2 * len(HEADS) - len(RIGHT)
    assert len(heads.find_elements(By.CSS_SELECTOR, "rect.wrong")) == 1
    assert places[2]["y"] == heads.find_element(By.XPATH, ".//*[@class='wrong']/ancestor::*[@class='pair']").rect["y"]
    assert len(drawn) == 3 and len({place["y"] for place in drawn}) == 1
    assert [caption.text for caption in softmaxes.find_elements(By.CLASS_NAME, "caption")] == [
        "softmax(scores)",
        "softmax(scaled)",
        "softmax(yours)",
    ]
    assert chrome.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert complaints(chrome) == []
