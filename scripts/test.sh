#!/usr/bin/env bash
# Every check and every test, one after the other, with one summary at the end. Fails when any of them did.
set -uo pipefail
cd "$(dirname "$0")/.."

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v pgbouncer >/dev/null || missing+=(pgbouncer)
command -v spin >/dev/null || missing+=(spin)
[ -x /usr/sbin/nats-server ] || command -v nats-server >/dev/null || missing+=(nats-server)
[ -x /usr/lib/postgresql/15/bin/postgres ] || missing+=(postgresql-15)
command -v promtool >/dev/null || [ -x .venv/bin/promtool ] || missing+=(promtool)

install() {
  if [ "$1" != promtool ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
    return
  fi
  # Only the program is taken: its package, prometheus, would start a server.
  local unpacked
  unpacked=$(mktemp -d)
  (cd "$unpacked" && apt-get download -qq -o APT::Sandbox::User=root prometheus >/dev/null && dpkg -x prometheus_*.deb .) \
    && cp "$unpacked/usr/bin/promtool" .venv/bin/
  local outcome=$?
  rm -rf "$unpacked"
  return $outcome
}

if [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "• Installing ${missing[*]}"
  # Debian would start a cluster of its own; the tests start what they need and stop it again.
  mkdir -p /etc/postgresql-common && grep -qs '^create_main_cluster' /etc/postgresql-common/createcluster.conf \
    || echo 'create_main_cluster = false' >> /etc/postgresql-common/createcluster.conf
  apt-get update -qq
  for package in "${missing[@]}"; do
    install "$package" || echo "  $package could not be installed: the tests that need it are skipped"
  done
fi

# Tests make thousands of databases. In memory, where there is room and programs may run, that takes half the time.
memory=/dev/shm
if [ -z "${TMPDIR:-}" ] && [ -w $memory ] && [ "$(df --output=avail -k $memory | tail -n 1)" -gt $((8 * 1024 * 1024)) ]; then
  place=$(mktemp -d $memory/holdfast-XXXXXX)
  trap 'rm -rf "$place"' EXIT
  printf '#!/bin/sh\n' > "$place/runs" && chmod 755 "$place/runs"
  if "$place/runs" 2>/dev/null; then
    # As root, Postgres runs as another user, who must be able to enter.
    chmod 711 "$place"
    export TMPDIR=$place
  fi
fi

summary=()
failed=0
step() {
  local name=$1 started=$SECONDS
  shift
  echo
  echo "━━ $name"
  if "$@"; then
    summary+=("✓ $name ($((SECONDS - started)) s)")
  else
    summary+=("✗ $name ($((SECONDS - started)) s)")
    failed=1
  fi
}

step "console: packages and build" scripts/console.sh
step "TypeScript client: packages" scripts/console.sh client
step "format, lint, types, imports" make --no-print-directory check
step "tests" .venv/bin/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal --durations 20
step "database tests on Postgres 15" .venv/bin/python scripts/on_postgres15.py
step "console: types, lint, unit tests" scripts/console.sh check
step "console in a browser" .venv/bin/python scripts/e2e.py

echo
echo "━━ summary"
printf '%s\n' "${summary[@]}"
exit $failed
