#!/usr/bin/env bash
# Holds the binary interface of the C library.
#
#   abi.sh                           lists the interface that the public headers make, as the
#                                    compiler sees it on this processor: the functions with their
#                                    types, the constants with their values, the structs with sizes
#                                    and offsets; fails if docs/abi/PROCESSOR.txt has another one
#   abi.sh renew                     writes that file anew
#   abi.sh exports LIBRARY [print]   fails if the library gives away anything but the public names
#                                    isa_…, kvc_… and kvo_…; with `print` prints those
set -euo pipefail

check_exports() {
  local names others
  case "$(uname -s)" in
    Darwin) names=$(nm -gU "$1" | awk '{ sub(/^_/, "", $NF); print $NF }') ;;
    *) names=$(nm -D --defined-only "$1" | awk '{ print $NF }') ;;
  esac
  others=$(printf '%s\n' "$names" | grep -Ev '^(isa_[^_]|kvc_[^_]|kvo_[^_])' || true)
  if [ -z "$others" ]; then
    [ "${2:-}" != print ] || printf '%s\n' "$names"
    return
  fi
  printf 'exports: %s is exported, which no public header declares\n' $others >&2
  return 1
}

if [ "${1:-}" = exports ]; then
  check_exports "${@:2}"
  exit
fi

export LC_ALL=C
cd "$(dirname "$0")/.."

list=docs/abi/$(uname -m).txt
out=.build-core/abi
includes=(-ISources/CIsa/include -ISources/CIsaHeader/include)
. scripts/core.sh
core_cc=clang
if ! command -v clang >/dev/null; then
  echo 'abi: no clang: the interface is not compared' >&2
  exit 0
fi
mkdir -p "$out" docs/abi
printf '#include "%s.h"\n' isa isa_foreign kvc_typed kvo_foreign >"$out/all.h"
clang -E -P -x c "${includes[@]}" "$out/all.h" | tr '\n' ' ' | sed 's/  */ /g' >"$out/text"

# One line for each constant of an enumeration, and its value.
constants() {
  {
    echo '#include <stdio.h>'
    cat "$out/all.h"
    echo 'int main(void) {'
    grep -oE 'enum( [a-z_]+)? \{[^}]*\}' "$out/text" |
      grep -oE '\b(ISA|KVC|KVO)_[A-Z0-9_]+ *[=,}]' |
      grep -oE '[A-Z0-9_]+' | sort -u |
      sed -E 's/.*/printf("& = %lld\\n", (long long)&);/'
    echo '}'
  } >"$out/constants.c"
  clang -w "${includes[@]}" "-I$out" "$out/constants.c" -o "$out/constants" && "$out/constants"
}

# Each public struct: offset and type of each field, size and alignment.
structs() {
  clang -fsyntax-only -Xclang -fdump-record-layouts-complete -x c "${includes[@]}" "$out/all.h" |
    awk '
      /Dumping AST Record Layout/ { text = ""; wanted = 0; first = 1; next }
      first { first = 0; wanted = $0 ~ /\| struct (isa|kvc|kvo)_/ }
      wanted { sub(/^ +\|/, "   |"); sub(/^ +/, ""); text = text $0 "\n" }
      wanted && /sizeof=/ { print text; wanted = 0 }'
}

{
  echo "Functions, constants and structs of the public headers, listed by make abi RENEW=1."
  printf '\n' && public_declarations
  printf '\n' && constants
  printf '\n' && structs
} >"$out/now"
if [ "${1:-}" = renew ]; then
  cp "$out/now" "$list"
elif [ ! -e "$list" ]; then
  echo "abi: there is no $list to compare with" >&2
elif ! diff -u "$list" "$out/now"; then
  cat >&2 <<END
abi: programs that were compiled with the headers before may rely on what has changed above.
  If it was not meant, take it back. If something was only added, or a struct that the library alone
  makes has grown at its end: \`make abi RENEW=1\`, and a line in CHANGELOG.md. If something went or
  became another: the same, and the library's next soname (SHARED_ABI in the Makefile), so that
  programs of before do not load this one.
END
  exit 1
else
  echo "abi: the interface is that of $list"
fi
