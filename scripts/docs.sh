#!/usr/bin/env bash
# Checks the links of the Markdown documents and the tests that they name, and builds the reference
# of the Swift modules from their comments and the symbol graphs in folder `$1`:
# .build-docs/MODULE.doccarchive, pages for any web server.
set -euo pipefail
cd "$(dirname "$0")/.."

graphs=$1
out=.build-docs
status=0

scripts/lint.sh docs
if ! command -v docc >/dev/null 2>&1; then
  echo "docs: no docc in PATH, so the reference is not built; it comes with the Swift toolchain"
  exit 0
fi
# Builds the archive of module `$1`.
build_archive() {
  local own=$PWD/$out/graphs-$1 archive=$out/$1.doccarchive wrong
  rm -rf "$own"
  mkdir -p "$own"
  cp "$graphs/$1".symbols.json "$graphs/$1"@*.symbols.json "$own"
  # A parameter that its name explains needs no line of its own; any other warning is a mistake.
  wrong=$(docc convert "Sources/$1/$1.docc" --fallback-display-name "$1" \
    --fallback-bundle-identifier "$1" --additional-symbol-graph-dir "$own" \
    --output-path "$archive" 2>&1 | grep -E '^(warning|error): ' |
    grep -v 'is missing documentation' || true)
  [ -z "$wrong" ] || { printf '%s\n' "$wrong" && return 1; }
  echo "docs: $archive"
}

for module in IsaRuntime IsaKVO IsaKVOFoundation IsaKVOWrappers IsaKVOBindings; do
  build_archive $module || status=1
done
exit $status
