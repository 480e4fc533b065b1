#!/usr/bin/env bash
# Looks for each public name of 0.1, by docs/api/0.1.txt, among those that the modules declare, or
# on the page that says what became of it: the name itself, or its type, of which a member has the
# same name in the type's successor. Prints those that are in neither; any of them fails.
set -euo pipefail
cd "$(dirname "$0")/.."

page=docs/what-became-of.md

awk -F '`' -v page="$page" '
  FILENAME == ARGV[1] { said[$2]; if ($2 !~ /[. ]/) successor[$2] = $4; next }
  FILENAME != ARGV[ARGC - 1] { sub(/: .*/, ""); declared[$0]; next }
  $0 in declared || $0 in said { next }
  {
    type = $0; sub(/\..*/, "", type)
    new = successor[type] substr($0, length(type) + 1)
    if (!(type in successor) || !(new in declared)) {
      print page ": does not say what became of " $0
      failed = 1
    }
  }
  END { exit failed }' <(grep '^| `' "$page") docs/api/Isa*.txt docs/api/0.1.txt
