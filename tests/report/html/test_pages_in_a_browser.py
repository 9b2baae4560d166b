"""The pages as an instructor opens them: from disk, in a real Chromium, with names and texts that mean harm."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from grader.model.pack import Pack
from grader.report.html.student import cell_report
from grader.report.notes import sentence_of

from ..hand_made import REPORT
from .browser import complaints, requests, show
from .made import HOSTILE, write

# A browser looks at pages of hundreds: what is measured are the tests of what writes them.
pytestmark = pytest.mark.no_cover

STUDENTS = 40
MANY = 300
MOST_BYTES = 3_000_000
MISTAKE = "input-mutated"


@pytest.fixture(scope="module")
def overview(pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small class, with students' pages beside it. Not to be changed."""
    return write(pack, STUDENTS, tmp_path_factory.mktemp("class"))


@pytest.fixture
def page(chrome: Chrome, overview: Path) -> Chrome:
    requests(chrome)  # those of an earlier test
    show(chrome, overview)
    return chrome


def rows(page: Chrome) -> list[list[str]]:
    """Name, points, change, outcome and the first step of every row that is shown."""
    found: list[list[str]] = page.execute_script(
        "return [...document.querySelectorAll('#students tbody tr:not([hidden])')]"
        ".map(row => [...row.cells].slice(0, 5).map(cell => cell.textContent.trim()))"
    )
    return found


def button(page: Chrome, words: str) -> Any:
    return page.find_element(By.CSS_SELECTOR, f"#students thead button{words}")


def test_three_hundred_students_weigh_three_megabytes_at_most(chrome: Chrome, pack: Pack, tmp_path: Path) -> None:
    """How long they take to open is measured, in benchmarks/measurements/opening.py."""
    large = write(pack, MANY, tmp_path)

    show(chrome, large)

    assert large.stat().st_size < MOST_BYTES
    assert len(rows(chrome)) == MANY


def named(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", ""))


@pytest.mark.long
def test_the_table_is_one_to_a_screen_reader_also_where_it_is_not_laid_out(page: Chrome, pack: Pack) -> None:
    page.execute_cdp_cmd("Accessibility.enable", {})

    told = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]

    nodes = {node["nodeId"]: node for node in told}
    inside = [node for node in told if node["role"]["value"] == "table" and named(node).startswith("Every student")]
    roles = Counter[str]()
    while inside:
        node = inside.pop()
        roles[node["role"]["value"]] += 1
        inside += [nodes[child] for child in node.get("childIds", [])]
    steps = sum(len(exercise.steps) for exercise in pack.exercises)
    assert (roles["table"], roles["row"], roles["rowheader"]) == (1, STUDENTS + 2, STUDENTS)
    assert roles["cell"] == STUDENTS * (steps + 3)


def test_bars_of_an_exercise_and_signs_of_the_legend_stand_in_line(chrome: Chrome, pack: Pack, tmp_path: Path) -> None:
    show(chrome, write(pack, 1, tmp_path))  # who passed some steps, so that there are shares of 0 and of 100

    begin, signs = chrome.execute_script(
        "const at = (each, side) => each.getBoundingClientRect()[side];"
        "document.querySelectorAll('.later').forEach(each => each.style.contentVisibility = 'visible');"
        "return [[...document.querySelectorAll('.rates')].map(table =>"
        " [...table.querySelectorAll('.bar')].map(bar => at(bar, 'left'))),"
        " [...document.querySelectorAll('.legend .status')].map(sign => at(sign, 'top'))]"
    )

    shares = {each.get_attribute("textContent").strip() for each in chrome.find_elements(By.CSS_SELECTOR, ".rates td")}
    assert {"0 %", "100 %"} <= shares
    assert {len({round(left, 1) for left in bars}) for bars in begin} == {1}
    assert len(set(signs)) == 1


@pytest.mark.parametrize("width", [700, 1000, 1360])
def test_the_drawing_of_points_fills_its_frame_in_a_narrow_window_too(
    width: int, chrome: Chrome, overview: Path
) -> None:
    before = chrome.get_window_size()
    chrome.set_window_size(width, 1000)
    try:
        show(chrome, overview)
        frame, line = chrome.execute_script(
            "const tiles = document.querySelector('.tiles');"  # as many as where every outcome is there
            "while (tiles.childElementCount < 7) tiles.append(tiles.lastElementChild.cloneNode(true));"
            "return ['.histogram', '.histogram line'].map(one => document.querySelector(one).getBoundingClientRect())"
        )
    finally:
        chrome.set_window_size(before["width"], before["height"])

    assert line["y"] - frame["y"] > 0.75 * frame["height"]
    assert line["width"] > 0.8 * frame["width"]


def test_headings_sort_up_and_down_and_say_so(page: Chrome) -> None:
    heading = button(page, "[data-sort=number]")

    heading.click()
    up = [float(row[1]) for row in rows(page)]
    is_said = heading.find_element(By.XPATH, "..").get_attribute("aria-sort")
    heading.click()
    down = [float(row[1]) for row in rows(page)]

    assert up == sorted(up)
    assert is_said == "ascending"
    assert down == sorted(up, reverse=True)
    assert heading.find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"
    button(page, "[data-sort=gain]").click()
    button(page, "[data-sort=gain]").click()
    assert rows(page)[0][2].startswith("+")


def test_a_step_sorts_those_first_who_need_to_be_looked_at(page: Chrome) -> None:
    button(page, "[data-step='ex01.query']").click()

    statuses = [row[4] for row in rows(page)]
    order = list(dict.fromkeys(statuses))
    assert (order[0], order[-1]) == ("crashed", "passed")
    assert statuses == sorted(statuses, key=order.index)


def test_filters_narrow_the_table_together_and_say_how_many_are_left(page: Chrome) -> None:
    page.find_element(By.ID, "words").send_keys("STUDENT-02 student")
    by_words = rows(page)
    Select(page.find_element(By.ID, "mistake")).select_by_visible_text(MISTAKE)
    by_mistake = rows(page)
    Select(page.find_element(By.ID, "step")).select_by_value("ex01.query")

    left = rows(page)
    assert {row[0][:10] for row in by_words} == {"Student 02"}
    assert 0 < len(left) < len(by_mistake) < len(by_words) == 10
    assert "passed" not in {row[4] for row in left}
    assert page.find_element(By.ID, "shown").text == f"{len(left)} of {STUDENTS}"


def test_all_of_it_can_be_done_by_keyboard(page: Chrome) -> None:
    keys = ActionChains(page)
    page.execute_script("document.getElementById('words').focus()")

    keys.send_keys("student-03", Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB, Keys.TAB).perform()  # past filters and region
    keys.send_keys(Keys.ARROW_RIGHT, Keys.ENTER).perform()
    points = [float(row[1]) for row in rows(page)]
    keys.send_keys(Keys.TAB, Keys.ARROW_DOWN, Keys.ARROW_DOWN).perform()
    focused = page.switch_to.active_element.text

    assert len(points) == 10
    assert points == sorted(points)
    assert focused == rows(page)[2][0].removesuffix(" late")
    outline = page.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_a_name_opens_the_student_s_page_and_a_step_opens_it_there(page: Chrome) -> None:
    page.find_element(By.LINK_TEXT, "Student 016").click()
    name = page.find_element(By.TAG_NAME, "h1").text
    page.find_element(By.LINK_TEXT, "← All students").click()
    page.find_element(By.ID, "words").send_keys("student-017")
    page.find_element(By.CSS_SELECTOR, "#students tbody tr:not([hidden]) td.step:nth-of-type(5)").click()

    assert name == "Student 016 student-016"
    assert page.find_element(By.TAG_NAME, "h1").text == "Student 017 student-017"
    assert page.current_url.endswith("student-017.html#ex01.all")
    assert page.execute_script("return document.querySelector(':target').id") == "ex01.all"


@pytest.mark.long
def test_whoever_prefers_the_dark_gets_it_and_can_read_it(chrome: Chrome, overview: Path) -> None:
    script = (
        "const style = getComputedStyle(document.body);"
        "return [style.backgroundColor, style.color].map(c => c.match(/\\d+/g).slice(0, 3).map(Number)"
        ".map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)"
        ".reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0))"
    )
    for file in (overview, overview.parent / "students" / "student-000.html"):
        show(chrome, file)
        paper, ink = chrome.execute_script(script)
        show(chrome, file, "dark")
        dark_paper, dark_ink = chrome.execute_script(script)

        assert paper > ink and dark_ink > dark_paper
        # https://www.w3.org/TR/WCAG21/#contrast-enhanced
        assert min((paper + 0.05) / (ink + 0.05), (dark_ink + 0.05) / (dark_paper + 0.05)) > 7


def test_what_students_write_stays_text_runs_nothing_and_fetches_nothing(page: Chrome, overview: Path) -> None:
    title = page.title
    names = [link.text for link in page.find_elements(By.CSS_SELECTOR, "#students tbody th a")]
    headings, texts = [], []
    for number in range(len(HOSTILE)):
        show(page, overview.parent / "students" / f"student-{number:03}.html")
        headings.append(page.find_element(By.TAG_NAME, "h1").text.removesuffix(f" student-{number:03}"))
        texts.append(page.find_element(By.CSS_SELECTOR, ".note").text)

    def shown(text: str) -> str:
        return text.replace("\u202e", "").replace("\u2066", "")

    plain = list(map(shown, HOSTILE))
    assert title == f"attention: {STUDENTS} submissions"
    assert names[: len(HOSTILE)] == plain
    assert headings == plain
    assert texts == [shown(sentence_of(text)) for text in HOSTILE]
    assert {address.split(":")[0] for address in requests(page)} == {"file"}
    assert complaints(page) == []
    for file in (overview, overview.parent / "students" / "student-001.html"):
        show(page, file)
        assert page.execute_script("return document.querySelectorAll('script, img, base, iframe, style').length") == (
            2 if file == overview else 1
        )


def test_the_policy_forbids_what_would_get_through(page: Chrome) -> None:
    page.execute_script(
        "const put = (name, set) => { const it = document.createElement(name); set(it); document.body.append(it); };"
        "put('script', s => s.textContent = 'document.title = \"taken\"');"
        "put('img', i => i.src = 'http://192.0.2.1/x');"
        "put('p', p => p.setAttribute('onclick', 'document.title = \"taken\"'));"
        "document.body.lastChild.click();"
    )

    assert page.title != "taken"
    assert not [address for address in requests(page) if address.startswith("http:")]
    assert len([each for each in complaints(page) if "Content Security Policy" in each["message"]]) == 3


@pytest.mark.long
def test_a_screen_reader_finds_a_table_with_words_and_pictures_with_descriptions(page: Chrome, overview: Path) -> None:
    def tree() -> list[tuple[str, str]]:
        nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]

    of_class = tree()
    show(page, overview.parent / "students" / "student-000.html")
    of_student = tree()

    assert ("columnheader", "ex01.query") in of_class
    assert len([role for role, _ in of_class if role == "rowheader"]) > STUDENTS
    assert {"passed", "failed", "crashed"} <= {name for role, name in of_class if role in ("cell", "gridcell")}
    assert any(name.startswith("Points of all submissions") for role, name in of_class if role == "image")
    pictures = [name for role, name in of_student if role == "image"]
    assert "Expected weights [0], 2 × 2, from 0.00 to 1.00." in pictures
    assert any("The first wrong cell is row 0, column 0: 0.50, expected 1.00." in name for name in pictures)


def test_below_a_cell_the_style_holds_for_the_report_alone_in_the_dark_too(chrome: Chrome, tmp_path: Path) -> None:
    notebook = "<style>.page code { color: red; background: white }</style><p class='note' id='own'>text</p>"
    report = cell_report(REPORT, cell="grade-1", following="%grade_hint ex10.output")
    (tmp_path / "cell.html").write_text(f"<!doctype html>{notebook}<div class='page'>{report}</div>", "utf-8")
    script = (
        "const of = what => getComputedStyle(document.querySelector(what));"
        "return [of('#own').color, of('body').backgroundColor, of('.grade-report code').color,"
        " of('.grade-report code').backgroundColor, of('.grade-report').color,"
        " of('.grade-report .source').borderTopStyle]"
    )

    show(chrome, tmp_path / "cell.html", "dark")
    own, body, code, behind, ink, border = chrome.execute_script(script)

    assert (own, body) == ("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)")
    assert code != "rgb(255, 0, 0)" and behind == "rgba(0, 0, 0, 0)"
    assert ink == "rgb(226, 229, 234)"
    assert border == "solid"
    assert requests(chrome)[-1] == (tmp_path / "cell.html").as_uri()
