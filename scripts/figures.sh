#!/usr/bin/env bash
# Copies figures of docs/performance.md into the tables of other pages, whose own words say which:
# `<!-- figures: NAME -->` stands above a table that has columns and rows of the table under
# `<!-- bench: NAME -->`, and `<!-- end -->` below it.
#
#   figures.sh          brings the pages up to date
#   figures.sh --check  fails where one is not
set -euo pipefail
cd "$(dirname "$0")/.."

measured=docs/performance.md

# Page `$1` with the figures as they were measured.
with_figures() {
  awk -F ' *[|] *' -v page="$1" '
    function wrong(what) { print page ":" FNR ": " what > "/dev/stderr"; failed = 1 }
    NR == FNR && /^<!-- bench: / { name = $0; gsub(/^<!-- bench: | -->$/, "", name); next }
    NR == FNR && /^<!-- end/ { name = "" }
    NR == FNR {
      if (name == "" || NF < 3 || $2 ~ /^---/) next
      if (!(name in columns)) {
        columns[name] = NF
        for (i = 3; i < NF; i++) column[name, $i] = i
      }
      for (i = 3; i < NF; i++) figure[name, $2, i] = $i
      rows[name, $2] = 1
      next
    }
    /^<!-- figures: / { table = $0; gsub(/^<!-- figures: | -->$/, "", table); header = 0 }
    /^<!-- end/ { table = "" }
    table == "" || NF < 3 || $2 ~ /^---/ { print; next }
    !header {
      header = 1
      for (i = 3; i < NF; i++) {
        if (!((table, $i) in column)) wrong("there is no column “" $i "” of " table)
        place[i] = column[table, $i]
      }
      print
      next
    }
    {
      if (!((table, $2) in rows)) wrong("there is no row “" $2 "” of " table)
      line = "| " $2 " |"
      for (i = 3; i < NF; i++) line = line " " figure[table, $2, place[i]] " |"
      print line
    }
    END { exit failed }' "$measured" "$1"
}

status=0
while IFS= read -r page; do
  updated=$(with_figures "$page") || { status=1; continue; }
  if [ "${1:-}" != --check ]; then
    printf '%s\n' "$updated" >"$page"
  elif [ "$updated" != "$(cat "$page")" ]; then
    echo "$page: other figures than $measured has: scripts/figures.sh copies them" >&2
    status=1
  fi
done < <(git ls-files -co --exclude-standard -- '*.md' | xargs grep -l '^<!-- figures: ')
exit $status
