#!/usr/bin/env bash
# Compares the titles of all tests with those of an earlier commit, and lists those that have gone.
# A title that stands more than once counts as often. Fails if one has gone.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:?"usage: scripts/test-names.sh COMMIT"}

# The titles in the files that `git grep` searches with the arguments.
titles() {
  git grep -hI '' "$@" -- '*Tests/*.swift' | tr '\n' ' ' | grep -oE '@Test\( *"([^"\\]|\\.)*"' |
    sed -E 's/^@Test\( *//' | sort
}

gone=$(comm -23 <(titles "$base") <(titles))
echo "tests: $(titles "$base" | wc -l) titles in $base, $(titles | wc -l) here"
[ -z "$gone" ] || { printf 'gone: %s\n' "${gone//$'\n'/$'\n'gone: }" && exit 1; }
