#!/usr/bin/env bash
# Builds the web console when Node.js is there and something changed; says so in one line when it is not.
# `console.sh check` runs its own checks instead, `console.sh client` installs what the TypeScript client is tested with.
set -euo pipefail
cd "$(dirname "$0")/../web"
dist=../src/holdfast/console/dist

node_is_new_enough() {
  command -v npm >/dev/null && node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major * 100 + minor < 2019 ? 1 : 0)' 2>/dev/null
}

if ! node_is_new_enough; then
  echo "• The web console is not built: it needs Node.js 20.19 or newer. Everything else works without it."
  exit 0
fi
packages() {
  if [ ! -f node_modules/.installed ] || [ package-lock.json -nt node_modules/.installed ]; then
    echo "• Installing the packages of $1"
    npm ci --no-audit --no-fund --loglevel=error
    touch node_modules/.installed
  fi
}

if [ "${1:-build}" = client ]; then
  cd ../clients/typescript
  packages "the TypeScript client"
  exit 0
fi
packages "the console"
if [ "${1:-build}" = check ]; then
  exec npm run --silent check
fi
if [ ! -f "$dist/index.html" ] || [ -n "$(find src public index.html package-lock.json vite.*.ts -newer "$dist/index.html" -print -quit 2>/dev/null)" ]; then
  echo "• Building the console"
  npm run --silent build
fi
