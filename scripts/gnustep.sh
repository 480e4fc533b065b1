#!/usr/bin/env bash
# Builds the program that runs over GNUstep's Foundation in the differential test, and prints where
# it is. Installs GNUstep and gcc's Objective-C through apt-get where this user may; where they
# cannot be had it says so in one line, prints nothing else and succeeds.
set -euo pipefail
cd "$(dirname "$0")/.."

driver=$PWD/.build-gnustep/driver

objc_compiles() {
  printf '#import <objc/runtime.h>\n' | gcc -x objective-c -fsyntax-only - >/dev/null 2>&1
}

complete() { command -v gnustep-config >/dev/null 2>&1 && objc_compiles; }

compile() {
  local flags libraries
  # Anything that gnustep-config would write besides the program stays unwritten.
  flags=$(gnustep-config --objc-flags | tr ' ' '\n' | grep -vxE -e '-MMD|-MP' | tr '\n' ' ')
  libraries=$(gnustep-config --base-libs)
  mkdir -p "$(dirname "$driver")"
  # shellcheck disable=SC2086 # each holds several words
  gcc $flags -std=gnu11 Tests/GNUstep/*.m -o "$driver" \
    $libraries >&2
}

if ! complete && ! scripts/deps.sh apt gnustep libgnustep-base-dev gobjc; then
  echo 'gnustep: not here and not installable (libgnustep-base-dev, gobjc): not compared' >&2
  exit 0
fi
compile
echo "$driver"
