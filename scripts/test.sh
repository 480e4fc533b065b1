#!/usr/bin/env bash
# Builds and tests the library's package and the lab's with the given options of `swift test`. The
# lab's suites that wait for processes of their own run beside all others, in a process of theirs,
# since suites count what is alive in the whole process. Every suite runs whatever came of another.
set -euo pipefail
cd "$(dirname "$0")/.."

apart='^LabTests\.(Compare|Museum|StepTerminal|StudentLab|SwiftLab|SwiftLibrary)Tests/'
# Nothing is built meanwhile, so that two may be in one folder.
run=(swift test --no-parallel --disable-xctest --skip-build --ignore-lock "$@")
log=$(mktemp)
# A process behind has no ears for the interrupt of a terminal.
trap 'kill $(jobs -p) 2>/dev/null || true; rm -f "$log"' EXIT

for package in . Lab; do
  swift build --build-tests --package-path "$package" "$@"
done
status=0
"${run[@]}" --package-path Lab --filter "$apart" >"$log" 2>&1 &
beside=$!
"${run[@]}" --package-path . || status=$?
"${run[@]}" --package-path Lab --skip "$apart" || status=$?
wait "$beside" || status=$?
cat "$log"
exit $status
