#!/usr/bin/env bash
# Counts what tells how the C core is built, beside what to aim at: lines, files, places that tell
# an observer, and the source files and functions that each act enters. Fails nothing.
#
# An act is a row of the C benchmark in a build without optimisation, under callgrind. Files and
# functions that it enters once and for all, before it is done again and again, are left out.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || exit 0

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

row() { printf '%-44s %8s   (aim: %s)\n' "$1" "$2" "$3"; }

build() {
  local sources=Benchmarks/Sources folder includes=()
  for folder in Sources/{CIsa,CIsaHeader}/include "$sources"/{CPaired,CWorkloads}{,/include}; do
    includes+=("-I$folder")
  done
  mapfile -t files < <(find Sources/CIsa "$sources"/{CPaired,CWorkloads,engine-c} -name '*.c')
  # Valgrind reads the fourth version of the debugger's format, whatever the compiler.
  "${CC:-cc}" -std=gnu17 -O0 -gdwarf-4 -DNDEBUG "${includes[@]}" -o "$out/engine" "${files[@]}" \
    $(pkg-config --cflags --libs libffi) -lpthread -lm
}

# Prints what each function of the core has cost when a row was done `$2` times.
costs() {
  valgrind --tool=callgrind --callgrind-out-file="$out/$2" --compress-strings=no \
    --compress-pos=no --toggle-collect=paired_measured "$out/engine" --once "isakvo/$1" "$2" \
    >/dev/null 2>&1
  awk '
    # An included file has the path by which it was included first.
    function short(path) {
      sub(/.*Sources/, "Sources", path)
      while (sub(/[^\/]+\/\.\.\//, "", path)) ;
      return path
    }
    /^(fl|fi|fe)=/ { file = short(substr($0, 4)) }
    /^fn=/ { name = file "#" substr($0, 4) }
    /^calls=/ { getline; next }
    /^[0-9]/ && name ~ /Sources\/CIsa\// { cost[name] += $2 }
    END { for (n in cost) print n, cost[n] }' "$out/$2" | LC_ALL=C sort
}

# Prints how many functions and files of the core a row enters each time that it is done.
entered() {
  LC_ALL=C join -j 1 <(costs "$1" 8) <(costs "$1" 32) -a 2 |
    awk '
      NF == 2 || $3 > $2 { split($1, part, "#"); functions[$1]; files[part[1]] }
      END { print length(functions) " in " length(files) }'
}

build
core=$(find Sources/CIsa -name '*.[ch]')
row 'lines of the C core' "$(cat $core | wc -l)" '24500 at most'
row 'its files' "$(wc -w <<<"$core")" '110 at most'
row 'places that call an observing function' \
  "$(cat $core | grep -c 'registration->function\.callback(')" 1
row 'functions and files entered by a set' "$(entered set-one-observer)" '6 files'
row 'by the first registration of a class' "$(entered first-observation-of-class)" '35 files'
row 'by a replaced middle of a path' "$(entered path-replace-intermediate)" '30 files'
row 'by a second registration and its end' "$(entered add-remove-beside-1)" '-'
row 'by a set of what a key depends on' "$(entered set-source-of-dependent)" '-'
row 'by an insertion through a proxy' "$(entered ordered-insert)" '-'
