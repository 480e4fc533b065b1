#!/usr/bin/env bash
# The way from the first line to the page in the browser: the tour in the terminal, then the same
# lessons as pages, then where they are. A browser is opened only where there is one to open and
# somebody to see it.
#
#   demo.sh ISALAB [FOLDER]    the built program, and where the pages go
set -euo pipefail
cd "$(dirname "$0")/.."

isalab=$1
folder=${2:-.build-lab/lecture}

# Prints the first text, or the second where the locale is Chinese, as isalab does.
say() {
  case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in
  [zZ][hH]*) printf '%s\n' "$2" ;;
  *) printf '%s\n' "$1" ;;
  esac
}

# The command that opens a page; nothing where there is none or nobody sees it.
opener() {
  [ -t 1 ] || return 0
  if [ "$(uname -s)" = Darwin ]; then
    command -v open || true
  elif [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    command -v xdg-open || true
  fi
}

name=${isalab#"$PWD/"}
say "First the lessons here in the terminal; the last line says where they are as pages.
What is called isalab below is $name." \
  "先在终端里看各课；最后一行给出网页的位置。下文所说的 isalab 即 $name。"
"$isalab" tour
"$isalab" export --lecture "$folder"

index=$(cd "$folder" && pwd)/index.html
open=$(opener)
echo
if [ -n "$open" ] && "$open" "$index" >/dev/null 2>&1; then
  say 'The lessons as pages, now in your browser, to step through with the arrow keys:' \
    '各课的网页已在浏览器中打开，可用方向键逐步查看：'
else
  say 'The lessons as pages, to step through with the arrow keys; open this in a browser:' \
    '各课的网页，可用方向键逐步查看；请用浏览器打开：'
fi
printf '    %s\n' "$index"
