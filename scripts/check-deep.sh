#!/usr/bin/env bash
# The long trials of docs/reliability.md: all but the models, the checks in C and the soak's hour.
# Trials of a given length go on beside the others, with the time that these leave of the cores. All
# are run, whichever fails.
set -euo pipefail
cd "$(dirname "$0")/.."

take_time() {
  local status=0
  nice scripts/stress.sh 120 || status=$?
  nice scripts/stress.sh soak 300 || status=$?
  return $status
}

log=$(mktemp) status=0
# In a group of its own, which ends with this script.
set -m
take_time >"$log" 2>&1 &
set +m
beside=$!
trap 'kill -- "-$beside" 2>/dev/null || true; rm -f "$log"' EXIT
scripts/test-install.sh || status=$?
scripts/coverage.sh 97 || status=$?
scripts/fuzz.sh 60 || status=$?
"${MAKE:-make}" --no-print-directory test-shared || status=$?
"${MAKE:-make}" --no-print-directory test-layout || status=$?
# Without the rows that make cross has besides.
scripts/test-cross.sh glibc gcc -flto || status=$?
wait "$beside" || status=$?
cat "$log"
exit $status
