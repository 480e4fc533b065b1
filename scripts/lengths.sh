#!/usr/bin/env bash
# Prints how long functions and files are, beside the lengths to aim at. Fails nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

c_files() { find Sources -name '*.[ch]' | LC_ALL=C sort; }
swift_files() {
  find Sources Lab/Sources -name Resources -prune -o -name '*.swift' -print | LC_ALL=C sort
}

# Prints LENGTH FILE:LINE NAME for each function; a length counts the lines between the braces.
c_functions() {
  c_files | while IFS= read -r file; do
    awk -v file="$file" '
      /^[A-Za-z_].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
      /^\{/ { start = FNR }
      /^\}/ { if (start) print FNR - start - 1, file ":" start, name; start = 0 }' "$file"
  done
}

swift_functions() {
  swift_files | while IFS= read -r file; do
    awk -v file="$file" '
      function indent(line) { match(line, /^ */); return RLENGTH }
      /^ *\/\// { next }
      !open && /(^|[ ])(func [^ ]|init[?!]?[(<]|deinit|subscript[(<])/ && !/`init`|\.init/ {
        name = $0; sub(/^ */, "", name); open = 1; depth = indent($0)
      }
      open == 1 && /\{.*\}[ ]*$/ { print 1, file ":" FNR, name; open = 0; next }
      open == 1 && /\{( .* in)?$/ { start = FNR; open = 2; next }
      open == 1 && /^ *\}/ { open = 0 }
      open == 2 && indent($0) == depth && /^ *\}/ {
        print FNR - start - 1, file ":" start, name; open = 0
      }' "$file"
  done
}

file_lengths() {
  while IFS= read -r file; do awk -v file="$file" 'END { print NR, file }' "$file"; done
}

# Summary of standard input, whose lines start with a length: `$1` names it, `$2` is what to aim at,
# `$3` the length above which an entry is listed.
summary() {
  sort -n | awk -v what="$1" -v aim="$2" -v most="$3" '
    { length_of[NR] = $1; text[NR] = $0 }
    END {
      if (NR == 0) { printf "%-16s none\n", what; exit }
      median = length_of[int((NR + 1) / 2)]; tenth = length_of[int((NR * 9 + 9) / 10)]
      printf "%-16s %5d, median %d, nine in ten at most %d, longest %d   (aim: %s)\n", what, NR,
        median, tenth, length_of[NR], aim
      for (i = NR; i > 0 && length_of[i] > most; i--) print "    above " most ": " text[i]
    }'
}

c_functions | summary "C functions" "median 12, nine in ten 30, none above 60" 60
swift_functions | summary "Swift functions" "median 6, nine in ten 20" 40
c_files | file_lengths | summary "C files" "at most 400" 400
swift_files | file_lengths | summary "Swift files" "at most 400" 400
