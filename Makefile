# From a fresh clone, with Python 3.11 or newer: `make play` opens the table, `make test` checks everything.

# The Python that .venv is made with: make play PYTHON=python3.13
PYTHON ?= python3
# More for pytest: make test ARGS="-k packaging"
ARGS ?=
# How long `make fuzz` goes on.
MINUTES ?= 60
# `make lock UPGRADE=1` moves every pin to the newest version; without it only what pyproject.toml asks for moves.
UPGRADE ?=

BIN := .venv/bin
# The Node of .venv, not the system's, since npm and the tools that it starts look for `node` on the path; and the
# system's certificates, not Node's own, so that npm gets through wherever pip does.
WITH_NODE := NODE_USE_SYSTEM_CA=1 PATH="$(CURDIR)/$(BIN):$$PATH"
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check
STATIC := src/thorp/server/web/static

# What is built, each told by the file that was written last.
TOOLS := .venv/tools.stamp
THORP := .venv/thorp.stamp
DEV_TOOLS := .venv/dev-tools.stamp
NODE_MODULES := node_modules/.package-lock.json
ASSETS := $(STATIC)/manifest.json
# Folders too, since a file that was taken away changes only its folder. To what is said in Japanese its font is cut.
ASSET_SOURCES := scripts/assets.mjs scripts/japanese.mjs \
	$(shell find src/thorp/server/web/assets; find src/thorp -path '*/locale/ja*')

.PHONY: help play test lint audit fuzz format docs words assets wheel lock clean
.DEFAULT_GOAL := help

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

play: $(THORP) $(ASSETS) ## serve the tables on this machine and open a browser
	$(BIN)/thorp serve --open

# Tests start a hundred processes: what these import is compiled once, also where whoever calls keeps no bytecode.
test: $(THORP) $(DEV_TOOLS) $(ASSETS) ## check everything: style, types, and all tests
	$(BIN)/python scripts/chromium.py
	$(MAKE) --no-print-directory lint
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist worksteal $(ARGS)

lint: $(THORP) $(DEV_TOOLS) $(NODE_MODULES) ## check style and types only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(WITH_NODE) $(BIN)/npm run --silent check

# Ends with 1 where a hole is known, with 3 where something could not be checked.
audit: $(DEV_TOOLS) ## look for known holes in what is installed (THORP_ADVISORIES=a folder of them)
	$(BIN)/python scripts/advisories.py

fuzz: $(THORP) $(DEV_TOOLS) $(ASSETS) ## play, break, stop and kill a server for MINUTES=60, then kill it 20 times
	$(BIN)/python tests/fuzzing.py --minutes $(MINUTES)
	$(BIN)/python tests/fuzzing.py --kills 20

format: $(DEV_TOOLS) ## put the Python files into the common style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(THORP) ## write the pages of the rules in docs/ anew, from rules.md and the cards of each game
	for game in tiny-towns villagers valeria; do $(BIN)/thorp --language en rules $$game > docs/$$game.md || exit 1; done

words: $(THORP) $(DEV_TOOLS) ## gather what is said, write the catalogues anew, check them and count what is missing
	$(BIN)/thorp words

assets: $(ASSETS) ## build the pages' script, styles and fonts

wheel: $(TOOLS) $(ASSETS) ## build dist/thorp-*.whl, with the assets in it
	$(BIN)/python -m hatchling build --target wheel

lock: $(DEV_TOOLS) ## write the lock files anew (UPGRADE=1: with the newest versions)
	$(BIN)/uv pip compile $(LOCK) --group build --output-file requirements/play.txt
	$(BIN)/uv pip compile $(LOCK) --group dev --constraints requirements/play.txt --output-file requirements/test.txt
	echo 'asyncpg>=0.31' | $(BIN)/uv pip compile - $(PINNED) --output-file requirements/postgresql.txt
	printf '%s\n' 'apprise>=2.2' 'http-ece>=1.2.1' 'py-vapid>=1.9.6' | $(BIN)/uv pip compile - $(PINNED) \
		--constraints requirements/test.txt --output-file requirements/notices.txt
	$(WITH_NODE) $(BIN)/npm $(if $(UPGRADE),update,install) --package-lock-only
# One version of everything for all Pythons and machines. Nothing of the machine that wrote the files gets into them.
PINNED = --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-annotate --quiet \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(UPGRADE),--upgrade)
LOCK = pyproject.toml --extra web --extra pictures $(PINNED)

clean: ## take away all that was made
	rm -rf .venv node_modules $(STATIC) dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src scripts tests -name __pycache__ -prune -exec rm -rf {} +

$(TOOLS): requirements/play.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Thorp needs Python 3.11 or newer, which '$(PYTHON)' is not." \
			"Name one that is: make $(MAKECMDGOALS) PYTHON=python3.13" >&2; exit 1; }
	@test ! -L .venv || { \
		echo "'.venv' is a link, and what it leads to would be emptied. Take the link away (rm .venv) and make again." >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(PIP_INSTALL) --require-hashes -r requirements/play.txt
	@touch $@

$(DEV_TOOLS): requirements/test.txt $(TOOLS)
	$(PIP_INSTALL) --require-hashes -r requirements/test.txt
	@touch $@

$(THORP): pyproject.toml $(TOOLS)
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(NODE_MODULES): package.json package-lock.json $(TOOLS)
	$(WITH_NODE) $(BIN)/npm ci
	@touch $@

$(ASSETS): $(ASSET_SOURCES) $(NODE_MODULES)
	$(WITH_NODE) $(BIN)/npm run --silent build
