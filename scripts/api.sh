#!/usr/bin/env bash
# Lists what each Swift module declares publicly, a line a declaration, in docs/api/MODULE.txt, by
# the symbol graphs that a build has left in folder `$1`. With --check behind it, fails where a list
# is not what stands there, and writes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

graphs=$1
status=0
# Not every module adds to types of others.
shopt -s nullglob
command -v jq >/dev/null 2>&1 || scripts/deps.sh apt jq jq || {
  echo "api: jq is not here and not installable, so the lists are not made" >&2
  exit 0
}

# The available declarations of module `$1`, its members and the members that it adds to others'
# types.
declarations() {
  jq -r '.symbols[]
    | select(.identifier.precise | contains("::SYNTHESIZED::") | not)
    | select(any(.availability[]?; .isUnconditionallyUnavailable) | not)
    | "\(.pathComponents | join(".")): \(.accessLevel) " +
      (.declarationFragments | map(.spelling) | join("") | gsub("\\s+"; " "))' \
    "$graphs/$1".symbols.json "$graphs/$1"@*.symbols.json | LC_ALL=C sort -u
}

while IFS= read -r module; do
  list=docs/api/$module.txt
  if [ "${2:-}" != --check ]; then
    mkdir -p docs/api
    declarations "$module" >"$list"
    echo "api: $list: $(wc -l <"$list") declarations"
  elif ! declarations "$module" | diff -u "$list" -; then
    echo "api: $module declares something else than $list says; type: make api" >&2
    status=1
  fi
  # Two products declare nothing without their traits.
done < <(echo IsaKeyValue
  grep -o 'library(name: "Isa[A-Za-z]*"' Package.swift | cut -d '"' -f 2 |
    grep -Ev 'Macros|Combine')
exit $status
