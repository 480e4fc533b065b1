#!/usr/bin/env bash
# Uses the project as others do: two Swift packages that depend on it by path, one written for it
# and one ported from Apple systems, and a C program compiled against `make install`, with the
# shared and with the static library.
set -euo pipefail
cd "$(dirname "$0")/.."

cc=${CC:-cc}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
# A blank in it must do no harm.
prefix="$room/some dir"
failed=0

# Compares the output `$3` of program `$1` with what it should be, `$2`.
expect() {
  if [ "$3" = "$2" ]; then
    echo "consumer: $1: as expected"
  else
    echo "consumer: $1 printed '$3', expected '$2'" >&2
    failed=1
  fi
}

native_answer='Ann, 30 → Ann, 40
Ann, 40 → Bob, 40'

ported_answer='nickname: none
summary: Ann: 0.0
summary: Ann: 10.0
balance by 10.0
summary: Ann: 25.0
balance by 15.0
entries: insertion at [0]
Ann is Annie
nickname: Annie
1 ["balance"]
Ann 0.0'

# Builds and runs the package in folder `$1`, whose program is `$2`.
swift_package() {
  swift build --quiet --package-path "Tests/Consumer/$1" --disable-automatic-resolution
  "Tests/Consumer/$1/.build/debug/$2"
}

# Packages in Swift: a folder and its program, which prints what the folder's expected.txt says.
programs='Tests/Consumer/isolated Isolated
Tests/Consumer/beside Beside
Examples/ViewModel ViewModel'

# Builds and runs program `$2` of the package in folder `$1`; all share the library that is built.
program() {
  local build=Tests/Consumer/.build
  # It describes the package that was built before.
  rm -f "$build/debug/description.json"
  swift build --quiet --package-path "$1" --scratch-path "$build" --product "$2" >&2
  "$build/debug/$2"
}

# The first Swift example of the README.
readme_example() { awk '/^```/ { if (on) exit; on = /swift/; next } on' README.md; }

installed() { PKG_CONFIG_PATH="$prefix/lib/pkgconfig:${PKG_CONFIG_PATH:-}" pkg-config "$@" isakvo; }

# pkg-config quotes for the shell, hence eval.
with_shared() {
  eval "$cc Tests/Consumer/c/main.c -o \"\$prefix/shared\" $(installed --cflags --libs)"
  LD_LIBRARY_PATH="$prefix/lib" DYLD_LIBRARY_PATH="$prefix/lib" "$prefix/shared"
}

with_static() {
  eval "$cc Tests/Consumer/c/main.c -o \"\$prefix/static\" $(installed --cflags)" \
    '"$prefix/lib/libisakvo.a"' "$(pkg-config --libs libffi) -pthread"
  "$prefix/static"
}

# One thread at first, then two.
with_threads() {
  eval "$cc Tests/Consumer/c/threads.c -o \"\$prefix/threads\" $(installed --cflags)" \
    '"$prefix/lib/libisakvo.a"' "$(pkg-config --libs libffi) -pthread"
  "$prefix/threads"
}

"${MAKE:-make}" --silent install PREFIX="$prefix" DESTDIR=
answer="isakvo $(installed --modversion): 40"
expect "C program, shared library" "$answer" "$(with_shared)"
expect "C program, static library" "$answer" "$(with_static)"
expect "C program that begins a thread" "failures: 0, references: 1" "$(with_threads)"
expect "Swift package" "$native_answer" "$(swift_package native Native)"
expect "ported Swift package" "$ported_answer" "$(swift_package ported Ported)"
while read -r folder name; do
  expect "$folder" "$(cat "$folder/expected.txt")" "$(program "$folder" "$name")"
done <<<"$programs"
diff <(readme_example) Tests/Consumer/native/Sources/Native/main.swift ||
  { echo "consumer: README.md shows another example than the one that runs" >&2 && failed=1; }
exit $failed
