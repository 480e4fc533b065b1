#!/usr/bin/env bash
# Builds and tests the library's package and the lab's with the given options of `swift test`, in
# processes beside one another: one for the library and three for the lab, many of whose suites wait
# for a compiler or a terminal. None of them is parallel in itself, since suites count what is alive
# in their process. Every suite runs, even if another failed.
#
#   test.sh OPTIONS…       does so
#   test.sh names COMMIT   compares the titles of all tests with an earlier commit's titles instead,
#                          and lists the titles that have gone. A title that stands more than once
#                          counts as often. Fails if one has gone.
set -euo pipefail
cd "$(dirname "$0")/.."

# The titles in the files that `git grep` searches with the arguments.
titles() {
  git grep -hI '' "$@" -- '*Tests/*.swift' | tr '\n' ' ' | grep -oE '@Test\( *"([^"\\]|\\.)*"' |
    sed -E 's/^@Test\( *//' | sort
}

compare_titles() {
  local base=${1:-} gone
  [ -n "$base" ] || { echo 'tests: type make test-names BASE=COMMIT' >&2 && return 2; }
  git rev-parse --quiet --verify "$base^{commit}" >/dev/null ||
    { echo "tests: there is no commit $base" >&2 && return 2; }
  gone=$(comm -23 <(titles "$base") <(titles))
  echo "tests: $(titles "$base" | wc -l) titles in $base, $(titles | wc -l) here"
  [ -z "$gone" ] || { printf 'gone: %s\n' "${gone//$'\n'/$'\n'gone: }" && return 1; }
}

if [ "${1:-}" = names ]; then
  compare_titles "${@:2}"
  exit
fi

# The lab's suites of two processes; the third has all that are not named here.
thirds=(
  '^LabTests\.(Chinese|Explain|Growth|Language|Museum|Rehearsal|SwiftLab)Tests/'
  '^LabTests\.(Compare|Grading|Lecture|StepTerminal|StudentLab)Tests/'
)
# Nothing is built meanwhile, so that all may be in one folder.
run=(swift test --no-parallel --disable-xctest --skip-build --ignore-lock "$@")
logs=$(mktemp -d)
# Processes behind have no ears for the interrupt of a terminal.
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$logs"' EXIT

for package in . Lab; do
  scripts/swift-build.sh --build-tests --package-path "$package" "$@"
done
beside=()
lab() {
  "${run[@]}" --package-path Lab "${@:2}" >"$logs/$1" 2>&1 &
  beside+=($!)
}
lab 1 --filter "${thirds[0]}"
lab 2 --filter "${thirds[1]}"
lab 3 --skip "${thirds[0]}" --skip "${thirds[1]}"
status=0
"${run[@]}" --package-path . || status=$?
for process in "${beside[@]}"; do
  wait "$process" || status=$?
done
cat "$logs"/*
exit $status
