# `make` alone says what there is, what learners need first.

PYTHON  ?= python3
ANSWERS ?= exercises
NAME    ?=
DIR     ?= course
BIN     := .venv/bin
LEARN   := .venv/learn
ALL     := .venv/all

help:  ## this list
	@awk -F ':.*## ' '/^## / { print "\n" substr($$0, 4) } /^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

## To learn:

watch: $(LEARN)  ## check what you save, at once (NAME and ANSWERS as for check)
	@trap : INT; $(BIN)/attn watch $(NAME) --answers "$(ANSWERS)" || test $$? -eq 130  # Ctrl-C ends it, and that is all

check: $(LEARN)  ## check your answers (NAME=softmax for one exercise, ANSWERS=PATH for another folder or file)
	@$(BIN)/attn check $(NAME) --answers "$(ANSWERS)"

book: $(LEARN)  ## read, write and check in your browser (the first time it makes the pages, in seconds)
	@$(BIN)/attn book

lab: DIR = exercises
lab: $(ALL)  ## work in JupyterLab (DIR=course: a course's folder, with Formgrader)
	@$(BIN)/attn lab "$(DIR)"

minilm: $(LEARN)  ## fetch the sentence encoder of the chapter pretrained (90 MB)
	@$(PYTHON) install.py weights

## To teach:

demo: $(ALL)  ## make a course with a sample class in DIR (new or empty), graded, and open the report
	@$(BIN)/attn course demo "$(DIR)"

course: $(ALL)  ## make an nbgrader course in DIR (course/) and build its assignments
	@test -e "$(DIR)/nbgrader_config.py" || $(BIN)/attn course new "$(DIR)"
	@$(BIN)/attn course build --course "$(DIR)"

## To write exercises, or change the kit:

setup: $(ALL)  ## install everything into .venv, once: PyTorch, notebooks, courses, tests
	@echo "Everything is installed in .venv."

stubs: $(ALL)  ## write exercises/ anew from solutions/
	@$(BIN)/attn stubs

test: SELECTED = -m "not slow"
test test-all: export PYTHONDONTWRITEBYTECODE =  # or each of a thousand processes would compile the kit again
test test-all: $(ALL)
	@$(MAKE) --no-print-directory minilm || echo "Without these weights some tests are skipped."
	$(BIN)/pytest -n auto -rsfExX $(SELECTED)

test:  ## test the kit itself, in three minutes: each exercise, a course from beginning to end, all that is quick
test-all:  ## all tests, among them those that wait, attack, install and build

lint: $(ALL)  ## look for untidy code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyrefly check

bench: $(ALL)  ## measure speed, side by side with what it is compared to
	@$(BIN)/python tests/benchmarks/check.py
	@$(BIN)/python tests/benchmarks/save.py

pictures: $(ALL)  ## make the pictures of README.md anew
	@PYTHONPATH=tests $(BIN)/python -m making.readme

editor: $(ALL)  ## make the book's editor anew from book/editor/, with npm
	cd book/editor && npm ci --ignore-scripts && npm run build

drawings: $(ALL) minilm  ## compute the answers to questions, draw pictures whose code has changed (NAME=one_query: one chapter's; minutes)
	$(BIN)/python -m autograder.questions.compute
	PYTHONPATH=tests $(BIN)/python -m making.draw $(NAME)

wheel: $(ALL)  ## build what `pip install` installs into dist/
	$(BIN)/python -m hatchling build --target wheel

mutants: $(ALL)  ## list small mistakes that no suite finds (NAME=softmax, or a chapter; all take long)
	@PYTHONPATH=tests:exercises $(BIN)/python -m mutants $(NAME) $(if $(REASON),--accept "$(REASON)")

clean:  ## remove .venv and caches; answers and courses stay
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(LEARN): pyproject.toml requirements.txt
	@$(PYTHON) install.py learn

$(ALL): pyproject.toml requirements.txt
	@$(PYTHON) install.py all

.PHONY: help watch check book lab minilm demo course setup stubs test test-all lint bench mutants pictures editor drawings wheel clean
