#!/usr/bin/env bash
# Runs the suites with what the library assumes of Swift's layout falsified, one kind of answer
# after the other, and all of them at once: nothing stops, and all tests pass but those that
# Tests/layout.txt lists for the kind. Arguments choose kinds; BUILT has the options by which the
# tests were built.
set -euo pipefail
cd "$(dirname "$0")/.."

all=natures,sizes,getters,generics,kinds,arguments,steps,protocols,tracking
list=Tests/layout.txt
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0
read -ra options <<<"${BUILT:-}"

# The titles that are listed for a kind, or for any with all.
listed() {
  awk -F'\t' -v kind="$1" '!/^#/ && NF == 2 && (kind == "all" || $1 == kind) { print $2 }' $list |
    sort -u
}

# Complains of tests by their titles, a line each.
complain() {
  [ -n "$2" ] || return 0
  sed "s/^/layout: $1: /" <<<"$2" >&2
  status=1
}

# try KIND FALSIFIED: runs the suites of what stands above the core, but for the suite that
# falsifies by itself.
try() {
  local kind=$1 said=$out/$1 skipped=(--skip CIsaTests --skip GNUstepTests --skip SwiftLayoutTests)
  case $kind in
    # Values by name are objects there, whose memory a program stops for.
    all) skipped+=(--skip ShortMemoryTests) ;;
    # What they change, and nothing else asks for.
    sizes | kinds | arguments | protocols | tracking)
      skipped+=(--filter 'IsaKVOTests|ModelTests')
      ;;
  esac
  ISAKVO_FALSIFIED=$2 timeout 600 swift test --skip-build --no-parallel --disable-xctest \
    "${options[@]}" "${skipped[@]}" >"$said" 2>&1 || true
  if ! grep -q 'Test run with [1-9]' "$said"; then
    echo "layout: $kind: the suites stopped:" >&2
    tail -n 40 "$said" >&2
    status=1
    return
  fi
  sed -nE 's/^✘ Test "(.*)" (with [0-9]+ test cases? )?failed after .*/\1/p' "$said" |
    sort -u >"$out/failed"
  listed "$kind" >"$out/listed"
  complain "$kind: fails, and is not listed" "$(comm -23 "$out/failed" "$out/listed")"
  # A test may need several of the answers.
  [ "$kind" = all ] ||
    complain "$kind: passes, and is listed" "$(comm -13 "$out/failed" "$out/listed")"
  echo "layout: $kind: $(grep -oE 'Test run with [0-9]+ tests' "$said" | tail -n 1)," \
    "$(wc -l <"$out/failed" | tr -d ' ') of them refused or reported"
}

for kind in ${*:-${all//,/ } all}; do
  if [ "$kind" = all ]; then try all $all; else try "$kind" "$kind"; fi
done
exit $status
