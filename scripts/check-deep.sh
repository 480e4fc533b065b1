#!/usr/bin/env bash
# The long trials of docs/reliability.md: all but the soak's hour, some in a shorter form. Trials of
# the Swift suites go on beside those in C, and trials of a given length beside both, with the time
# that these leave of the cores. All are run, whichever fails; each prints what it said when it has
# ended.
set -euo pipefail
cd "$(dirname "$0")/.."

make=${MAKE:-make}
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

# trial NAME COMMAND…
trial() {
  local name=$1 begin=$SECONDS ended='passed'
  shift
  "$@" >"$log/$name" 2>&1 || { ended='FAILED' && touch "$log/failed"; }
  { flock 9 && cat "$log/$name" && echo "deep: $name: $ended in $((SECONDS - begin)) s"; } \
    9>"$log/lock"
}

target() { "$make" --no-print-directory "$@"; }

# What was built to count what the tests reach runs them as well with Swift's layout falsified.
layout() {
  BUILT=$(cat .build-core/coverage/options) LLVM_PROFILE_FILE=/dev/null scripts/test-layout.sh
}

swift_trials() {
  trial coverage scripts/coverage.sh 97
  trial layout layout
  trial shared target test-shared ONCE=1
}

core_trials() {
  trial abi target abi
  trial core target test-core
  trial protocol target test-protocol
  trial facts target test-facts
  trial install scripts/test-install.sh
  trial fuzz scripts/fuzz.sh 60
  # Without the rows that make cross has besides.
  trial cross scripts/test-cross.sh glibc gcc -flto
}

timed_trials() {
  trial stress nice scripts/stress.sh 60
  trial soak nice scripts/stress.sh soak 120
}

# In groups of their own, which end with this script.
set -m
lanes=()
for lane in swift core timed; do
  "${lane}_trials" &
  lanes+=("$!")
done
set +m
trap 'for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done; rm -rf "$log"' EXIT
wait "${lanes[@]}"
echo "deep: all in $((SECONDS / 60)) min $((SECONDS % 60)) s"
[ ! -e "$log/failed" ]
