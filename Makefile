# Everything a person or a CI job does here. Nothing is needed beforehand but Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
OLDEST := .venv-oldest
NEWEST := .venv-newest
LOWEST = $(shell sed -n '/^dependencies/,/^]/p; /^cluster/p; /^sign/p' pyproject.toml | grep -oE '[a-z0-9]+>=[0-9.]+' | sed 's/>=/==/')
BIN := $(VENV)/bin
CONSTRAINTS := grader/workspace/constraints.txt
SAMPLE := fixtures/submissions/first_attempt
# pip compiles what it installs on one core, longer than it downloads. All has to be compiled, or every sandboxed worker,
# which cannot keep what it compiles, does so again. Some packages bring examples that are no Python 3, nobody needs them,
# and code that a newer Python warns of, which is not ours to mend; their tests nobody runs.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile --constraint $(CONSTRAINTS)
COMPILE := $(BIN)/python -W ignore -m compileall -qq -j 0 -x '/tests/' $(VENV)/lib || true

# On Linux pip's own torch brings three gigabytes for GPUs; this index has the same version for CPUs alone. Where it cannot be
# reached, or has none for this machine, pip's own is taken; `make demo TORCH_INDEX=` takes that where there is a GPU.
TORCH_INDEX ?= $(if $(filter Linux,$(shell uname -s)),https://download.pytorch.org/whl/cpu)
FROM_INDEX := --index-url $(TORCH_INDEX) --timeout 5 --retries 0 --no-deps

.PHONY: demo grade watch test test-all oldest newest check untouched picture pages tour diagnosis bench attacks clean

demo: $(VENV)/.ready ## grade the sample submission, a believable first attempt
	@$(BIN)/grade run $(SAMPLE) --allow-unsandboxed || [ $$? -eq 1 ]

grade: $(VENV)/.ready ## grade your own exercises/
	@$(BIN)/grade || [ $$? -eq 1 ]

watch: $(VENV)/.ready ## grade the exercise you are at whenever you save it
	@$(BIN)/grade watch || [ $$? -eq 130 ]

# Four processes keep two cores busy: a test that starts programs waits for them half of the time.
test: check ## check, then every test but the long ones, with coverage
	$(BIN)/pytest -n 4 -m "not long" --cov --cov-report=term --cov-fail-under=90

test-all: check ## check, then every test, the long ones too
	$(BIN)/pytest -n 4

oldest: ## the tests but the long ones, with the oldest packages that pyproject.toml takes
	$(MAKE) VENV=$(OLDEST) $(OLDEST)/.developer
	@$(if $(TORCH_INDEX),$(OLDEST)/bin/pip install --quiet $(FROM_INDEX) $(filter torch==%,$(LOWEST)) 2>/dev/null || true)
	$(OLDEST)/bin/pip install --quiet --disable-pip-version-check $(LOWEST)
	$(OLDEST)/bin/pytest -n 4 -m "not long"

newest: ## the tests but the long ones, with the newest packages that pip finds
	$(MAKE) VENV=$(NEWEST) $(NEWEST)/.developer
	@$(if $(TORCH_INDEX),$(NEWEST)/bin/pip install --quiet --upgrade $(FROM_INDEX) torch 2>/dev/null || true)
	$(NEWEST)/bin/pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager --editable '.[dev]'
	$(NEWEST)/bin/pytest -n 4 -m "not long"

check: untouched $(VENV)/.developer ## lint, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# The tests prove the kit as it is handed out. Beside stubs that are filled in two dozen of them fail, and do not say why.
untouched: ## see that nobody has worked in exercises/
	@touched=0; for stub in fixtures/stubs/*.py; do cmp -s "$$stub" "exercises/$${stub##*/}" || { \
	    touched=1; echo "exercises/$${stub##*/} is not the stub as it is handed out."; }; done; \
	[ $$touched -eq 0 ] || { echo "What is tested is what is handed out."; \
	    echo "Put your work aside (git stash) or test in another clone; grade your work with make grade."; \
	    echo "Where the stub itself is to change: .venv/bin/grade fixtures build."; exit 1; }

picture: $(VENV)/.ready ## draw the README's picture anew
	@$(BIN)/python -m docs.picture

pages: $(VENV)/.developer ## take the pictures of docs/batch.md anew, in Chromium
	$(BIN)/python -m docs.pages

tour: $(VENV)/.developer ## take docs/student-tour.md anew, in a terminal and in Chromium
	@$(BIN)/python -m docs.tour

diagnosis: $(VENV)/.ready ## write anew what docs/diagnosis.md shows
	@$(BIN)/python docs/diagnosis.py

bench: $(VENV)/.developer ## measure, as ratios in one run, and write docs/performance.md; SCALE=--full takes hours
	$(BIN)/python -m benchmarks $(SCALE)

attacks: $(VENV)/.developer ## try every attack, with all layers and with each left out
	$(BIN)/python -m tests.attacks

clean: ## remove what was set up
	rm -rf $(VENV) $(OLDEST) $(NEWEST) .pytest_cache .mypy_cache .ruff_cache .coverage*

$(VENV)/.ready: $(CONSTRAINTS) pyproject.toml
	@echo "Setting up $(VENV): a download of about 200 MB, a minute or two ..."
	$(PYTHON) -m venv $(VENV)
	@$(if $(TORCH_INDEX),$(PIP) $(FROM_INDEX) torch 2>/dev/null || true)
	$(PIP) --editable .
	$(COMPILE)
	@touch $@

$(VENV)/.developer: $(VENV)/.ready
	$(PIP) --editable '.[dev]'
	$(COMPILE)
	@touch $@
