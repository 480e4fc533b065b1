#!/usr/bin/env bash
# Uses the project as others do: a Swift package that depends on it by path, and a C program
# compiled against `make install`, with the shared and with the static library.
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

swift_answer='is a NSKVONotifying_Person, says it is a Person
age: 30 to 40
is a Person again'

swift_package() {
  swift build --quiet --package-path Tests/Consumer --disable-automatic-resolution
  Tests/Consumer/.build/debug/Consumer
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

"${MAKE:-make}" --silent install PREFIX="$prefix" DESTDIR=
answer="isakvo $(installed --modversion): 40"
expect "C program, shared library" "$answer" "$(with_shared)"
expect "C program, static library" "$answer" "$(with_static)"
expect "Swift package" "$swift_answer" "$(swift_package)"
diff <(readme_example) Tests/Consumer/Sources/Consumer/main.swift ||
  { echo "consumer: README.md shows another example than the one that runs" >&2 && failed=1; }
exit $failed
