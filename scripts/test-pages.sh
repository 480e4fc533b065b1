#!/usr/bin/env bash
# Exports pages with the isalab `$1` and drives them in a headless Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/deps.sh python pages 'the exported pages are not driven' || true
command -v python3 >/dev/null || exit 0
browser=$(scripts/deps.sh chromium)
[ -n "$browser" ] || exit 0

isalab=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/isalab-pages.XXXXXX")
"$isalab" export Examples/scenarios/person.kvo --html "$folder/person.html" --lang en
"$isalab" export Lab/Tests/Pages/hostile.kvo --html "$folder/hostile.html" --lang en
{
  echo 'class Person { name: string, age: int, friend: Person }'
  for number in {1..100}; do echo "let p$number = Person()"; done
  for number in {2..100}; do echo "p$number.friend = p$((number - 1))"; done
  for number in {1..100}; do echo "observe p$number.age options(old, new) as w$number"; done
  for number in {5..100..5}; do echo "p$number.age = $number"; done
} >"$folder/crowd.kvo"
"$isalab" export "$folder/crowd.kvo" --html "$folder/crowd.html" --lang en
"$isalab" export Lab/Tests/Pages/dead-observer.kvo --compare mk-strong,classic,isakvo \
  --html "$folder/beside.html" --lang en
ISAKVO_TRACE="$folder/run.kvotrace" "$isalab" tour --lang en >/dev/null
"$isalab" trace "$folder/run.kvotrace" --html "$folder/trace.html" --lang en
"$isalab" export --lecture "$folder/lecture" --lang en
mkdir "$folder/screenshots"
PYTHONDONTWRITEBYTECODE=1 python3 Lab/Tests/Pages/drive.py "$browser" \
  "$folder/person.html" "$folder/hostile.html" "$folder/crowd.html" "$folder/beside.html" \
  "$folder/trace.html" "$folder/lecture" "$folder/screenshots"
PYTHONDONTWRITEBYTECODE=1 python3 Lab/Tests/Pages/editor.py "$browser" "$isalab" \
  Examples/scenarios/person.kvo Examples/solutions/isa-swap.kvo "$folder/screenshots"
