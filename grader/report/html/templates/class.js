"use strict";
// Sorts and filters the table of students. Without it the table is whole, in the order of names.
(() => {
  const table = document.getElementById("students");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const buttons = [...table.tHead.querySelectorAll("button")];
  const steps = buttons.filter((button) => button.dataset.step).map((button) => button.dataset.step);
  const FIRST_STEP = buttons.length - steps.length; // the cells before: name, points, outcome
  const RANK = ["crashed", "timeout", "error", "failed", "partial", "blocked", "unstarted", "unavailable", "passed"];
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;

  const column = (button) =>
    button.dataset.step ? FIRST_STEP + steps.indexOf(button.dataset.step) : buttons.indexOf(button);
  const value = {
    name: (cell) => cell.textContent,
    text: (cell) => cell.textContent,
    number: (cell) => (cell.textContent === "" ? -1 : parseFloat(cell.textContent)),
    gain: (cell) => parseFloat(cell.textContent.replace("−", "-")) || 0,
    status: (cell) => RANK.indexOf(cell.textContent),
  };

  function sort(button) {
    const heading = button.closest("th");
    const isUp = heading.getAttribute("aria-sort") !== "ascending";
    const at = column(button);
    const of = value[button.dataset.sort];
    const keys = new Map(rows.map((row) => [row, of(row.cells[at])]));
    const order = typeof keys.get(rows[0]) === "number" ? (a, b) => a - b : compare;
    rows.sort((one, other) => (isUp ? 1 : -1) * order(keys.get(one), keys.get(other)));
    body.append(...rows);
    for (const each of buttons) each.closest("th").removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", isUp ? "ascending" : "descending");
  }

  // One tab stop for all headings; the arrows go from one to the next.
  function rove(from, to) {
    if (!to) return;
    from.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  }
  buttons.forEach((button, at) => {
    button.tabIndex = at ? -1 : 0;
    button.addEventListener("click", () => sort(button));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (by) {
        event.preventDefault();
        rove(button, buttons[at + by]);
      }
    });
  });

  const words = document.getElementById("words");
  const outcome = document.getElementById("outcome");
  const mistake = document.getElementById("mistake");
  const step = document.getElementById("step");
  const text = new Map(
    rows.map((row) => {
      const said = [row.cells[0].textContent, row.dataset.id, row.dataset.mistakes];
      return [row, said.join(" ").toLocaleLowerCase()];
    }),
  );

  function filter() {
    const sought = words.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const at = FIRST_STEP + steps.indexOf(step.value);
    let count = 0;
    for (const row of rows) {
      const isShown =
        sought.every((word) => text.get(row).includes(word)) &&
        (!outcome.value || row.cells[FIRST_STEP - 1].textContent === outcome.value) &&
        (!mistake.value || row.dataset.mistakes.split(" ").includes(mistake.value)) &&
        (!step.value || row.cells[at].textContent !== "passed");
      row.hidden = !isShown;
      count += isShown;
    }
    document.getElementById("shown").value = `${count} of ${rows.length}`;
  }
  const form = document.getElementById("filter");
  form.addEventListener("input", filter);
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter(); // a browser may have kept what was typed before a page is loaded again

  // Up and down between names; a click on a step opens the student's page there.
  body.addEventListener("keydown", (event) => {
    const by = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    let row = by && event.target.closest("tr");
    while (row && (row = row[by]) && row.hidden);
    if (row) {
      event.preventDefault();
      row.querySelector("a").focus();
    }
  });
  body.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (cell && cell.cellIndex >= FIRST_STEP) {
      const page = cell.parentElement.querySelector("a").getAttribute("href");
      location.assign(`${page}#${steps[cell.cellIndex - FIRST_STEP]}`);
    }
  });
})();
