#!/usr/bin/env bash
# The long trials of docs/reliability.md: all but the models, the checks in C and the soak's hour.
# Those of a given length go on beside the others, with the time that these leave of the cores. All
# are run, whichever fails.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
# A process behind has no ears for the interrupt of a terminal.
trap 'kill $(jobs -p) 2>/dev/null || true; rm -f "$log"' EXIT
status=0
{ nice scripts/stress.sh 120 && nice scripts/soak.sh 300; } >"$log" 2>&1 &
scripts/test-install.sh || status=$?
scripts/coverage.sh 97 || status=$?
scripts/fuzz.sh 60 || status=$?
make --no-print-directory test-shared || status=$?
scripts/test-cross.sh glibc gcc -O2 || status=$?
wait $! || status=$?
cat "$log"
exit $status
