#!/usr/bin/env bash
# Makes the virtual environment and installs the locked packages and this project into it.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
venv=${VENV:-.venv}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "holdfast needs Python 3.11 or newer; '$python' is $("$python" --version 2>&1 || true). Try: make PYTHON=python3.12 …" >&2
  exit 1
fi
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq && apt-get install -y -qq python3-venv >/dev/null
  else
    echo "Python's venv module is missing: install the package python3-venv" >&2
    exit 1
  fi
fi

echo "• Installing into $venv"
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --editable .
touch "$venv/.installed"
