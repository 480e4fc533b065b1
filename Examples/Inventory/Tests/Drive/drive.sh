#!/usr/bin/env bash
# Drives the program `$1` through steps.txt on the display at hand; pictures go to the folder `$2`.
set -euo pipefail
program=$1 pictures=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/inventory.XXXXXX")
places=$folder/places output=$folder/output pid=

# Preferences and the file of items are of this run alone.
export HOME=$folder XDG_CONFIG_HOME=$folder GSETTINGS_BACKEND=memory
export GDK_BACKEND=x11 GSK_RENDERER=cairo GTK_THEME=Adwaita GTK_A11Y=none NO_AT_BRIDGE=1
export LC_ALL=C.UTF-8
cp "$here/items.json" "$folder/items.json"

fail() {
  printf 'drive: line %s: %s\n' "$number" "$1" >&2
  sed 's/^/  printed: /' "$output" | tail -3 >&2
  exit 1
}

# Tries a command until it succeeds, for a minute: the machine may have other work.
wait_for() {
  local i
  for ((i = 0; i < 600; i++)); do
    "$@" && return
    sleep 0.1
  done
  return 1
}

start() {
  : >"$output"
  INVENTORY_TRACE=$places "$program" "$folder/items.json" >"$output" 2>"$folder/errors" &
  pid=$!
  wait_for has_window || fail "no window: $(cat "$folder/errors")"
  wait_for focus || fail "the window takes no keys"
}
# A window that is there and not yet shown refuses.
focus() { xdotool windowfocus "$window" 2>/dev/null; }
has_window() {
  ! has_ended || fail "the program has ended: $(cat "$folder/errors")"
  window=$(xdotool search --name '^Inventory$' 2>/dev/null | tail -1)
  [ -n "$window" ]
}
has_ended() { ! kill -0 "$pid" 2>/dev/null; }
stop() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
  [ -z "$pid" ] || wait "$pid" 2>/dev/null || true
}
trap 'stop; rm -rf "$folder"' EXIT

# The last of several widgets of a name is the one in the table, or the innermost.
place() {
  xy=$(awk -F '\t' -v name="$1" '$1 == name { xy = $2 " " $3 } END { print xy }' "$places" \
    2>/dev/null)
  [ -n "$xy" ]
}
# Whether it is where it was a moment ago.
rests() {
  local before
  place "$1" || return
  before=$xy
  sleep 0.2
  place "$1" && [ "$xy" = "$before" ]
}
click() {
  # GTK lays out what has changed, and the program notes the places.
  sleep 0.3
  wait_for rests "$1" || fail "there is no “$1” to click on"
  # shellcheck disable=SC2086 # two numbers
  xdotool mousemove --window "$window" $xy click 1
}
shows() { [ "$(tail -1 "$output")" = "$1" ]; }

number=0
start
while IFS= read -r line; do
  number=$((number + 1))
  rest=${line#* }
  case $line in
    '' | '#'*) ;;
    '> '*) wait_for shows "$rest" || fail "expected: $rest" ;;
    'click '*) click "$rest" ;;
    'shift-click '*)
      xdotool keydown shift
      click "$rest"
      xdotool keyup shift
      ;;
    'key '*) sleep 0.2 && xdotool key "$rest" ;;
    'type '*) sleep 0.2 && xdotool type --delay 40 -- "$rest" ;;
    picture) sleep 0.5 && import -window "$window" "$pictures/inventory.png" ;;
    restart)
      wait_for has_ended || fail 'the program does not end with its window'
      [ ! -s "$folder/errors" ] || fail "it complained: $(cat "$folder/errors")"
      start
      ;;
    *) fail "no such step: $line" ;;
  esac
done <"$here/steps.txt"
[ ! -s "$folder/errors" ] || fail "it complained: $(cat "$folder/errors")"
echo "drive: $(grep -c '^>' "$here/steps.txt") states as expected"
