# holdfast: everything a person or a CI needs, by name. `make help` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DSN ?=
NAME ?=
PEERS ?=
N ?=
ROUNDS ?=
BEFORE ?=
SLICE ?=

.PHONY: help up test check pytest postgres15 e2e web-check console install format bench soak schema lock clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

up: install console ## set up and run the whole product on this machine; Ctrl-C stops it
	@$(BIN)/holdfast up

test: install ## set up and run every check and every test
	@PYTHON=$(PYTHON) scripts/test.sh

install: $(VENV)/.installed ## make the virtual environment and install everything into it

$(VENV)/.installed: pyproject.toml requirements.lock scripts/install.sh
	@PYTHON=$(PYTHON) VENV=$(VENV) scripts/install.sh

check: install ## format, lint, types, import directions
	$(BIN)/ruff format --check src tests bench examples scripts
	$(BIN)/ruff check src tests bench examples scripts
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

pytest: install ## the Python tests; SLICE=runs those of one slice, DSN=postgresql://… on that server
	TEST_DSN="$(DSN)" $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(if $(SLICE),tests/$(SLICE))

postgres15: install ## the database tests on the oldest supported Postgres
	$(BIN)/python scripts/on_postgres15.py

console: ## build the web console (needs Node.js; a notice takes its place without)
	@scripts/console.sh

web-check: ## types, lint and unit tests of the console
	@scripts/console.sh check

e2e: install console ## the console in a real browser
	$(BIN)/python scripts/e2e.py

format: install ## format the Python code
	$(BIN)/ruff format src tests bench examples scripts
	$(BIN)/ruff check --fix src tests bench examples scripts

bench: install ## benchmarks beside the peers: NAME= PEERS= N= ROUNDS=, or BEFORE= another checkout
	@$(BIN)/python -m bench --name "$(NAME)" --peers "$(PEERS)" --n "$(N)" --rounds "$(ROUNDS)" --before "$(BEFORE)"

soak: install ## the tests marked soak, and those that draw their examples with new ones
	$(BIN)/python -m pytest -m "soak or hypothesis" --hypothesis-profile explore

schema: install ## renew schema.sql and docs/schema.md from a fresh database
	$(BIN)/python scripts/schema.py

lock: install ## renew requirements.lock from pyproject.toml
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	  --extra dev --extra langgraph --extra kubernetes --extra nats --extra s3 --extra sentry --upgrade --quiet pyproject.toml -o requirements.lock

clean: ## remove what was built and installed here (not the data)
	rm -rf $(VENV) web/node_modules src/holdfast/console/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
