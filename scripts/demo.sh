#!/usr/bin/env bash
# The way from the first line to the page in the browser: the swap on one screen, the tour in the
# terminal, then the same lessons as pages, then where they are. On a terminal it asks before the
# tour, which waits at each turning point. A browser is opened only where there is one to open and
# somebody to see it.
#
# demo.sh ISALAB FOLDER [BUILD …]    the program, where the pages go, and the command that builds it
set -euo pipefail
cd "$(dirname "$0")/.."

isalab=$1
folder=$2
shift 2

# Prints the first text, or the second where the locale is Chinese, as isalab does.
say() {
  case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in
  [zZ][hH]*) printf '%s\n' "$2" ;;
  *) printf '%s\n' "$1" ;;
  esac
}

# Says what a build will take; nothing if the program is as new as its sources.
announce_build() {
  if [ ! -e "$isalab" ]; then
    say 'First isalab is built with the library: about five minutes, and the network once.' \
      '首先构建 isalab 和库：约五分钟，需要联网一次。'
  elif [ -n "$(find Package.swift Sources Lab/Package.swift Lab/Sources -type f \
    -newer "$isalab" -print -quit)" ]; then
    say 'First isalab is built anew, as sources have changed: a minute or a few.' \
      '源码有改动，首先重新构建 isalab：一到几分钟。'
  fi
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

# The URL of a file: bytes that a URL has no letters for are numbers.
url() {
  local LC_ALL=C path=$1 byte index
  printf 'file://'
  for ((index = 0; index < ${#path}; index++)); do
    byte=${path:index:1}
    case $byte in
    [A-Za-z0-9/._~-]) printf '%s' "$byte" ;;
    *) printf '%%%02X' "$(($(printf '%d' "'$byte") & 255))" ;;
    esac
  done
}

# Whether the terminal makes a link of a text by OSC 8.
takes_links() {
  [ -t 1 ] || return 1
  [ -z "${VTE_VERSION:-}${KONSOLE_VERSION:-}${WT_SESSION:-}${KITTY_WINDOW_ID:-}" ] || return 0
  case "${TERM_PROGRAM:-}/${TERM:-}" in
  iTerm.app/* | WezTerm/* | vscode/* | ghostty/* | */alacritty* | */foot*) return 0 ;;
  esac
  return 1
}

link() {
  if takes_links; then
    printf '    \033]8;;%s\033\\%s\033]8;;\033\\\n' "$1" "$1"
  else
    printf '    %s\n' "$1"
  fi
}

# Whether somebody can be asked.
is_asked() { [ -t 0 ] && [ -t 1 ]; }

name=${isalab#"$PWD/"}
if [ $# -gt 0 ]; then
  announce_build
  # The build is told on standard error: the output is the demonstration's.
  "$@" >&2
fi
say "One object, observed. ($name run scripts/demo.kvo)" "一个对象，被监听。（$name run scripts/demo.kvo）"
"$isalab" run scripts/demo.kvo
say 'Which word has changed, and what follows from it? The lessons show it.' \
  '改动的是哪个指针，由此引起了什么？各课给出答案。'
if is_asked; then
  say 'Enter begins the lessons, q ends them; then come the same lessons as pages: ' \
    '按回车开始各课，按 q 结束；之后是同样内容的网页：' | tr -d '\n'
  IFS= read -r answer || answer=q
  [ "$answer" = q ] || "$isalab" tour
else
  "$isalab" tour
fi
say 'The lessons are being written as pages: half a minute.' '正在把各课写成网页：约半分钟。'
"$isalab" export --lecture "$folder"

index=$(url "$(cd "$folder" && pwd)/index.html")
open=$(opener)
echo
if [ -n "$open" ] && "$open" "$index" >/dev/null 2>&1; then
  say 'The lessons as pages, now in your browser, to step through with the arrow keys:' \
    '各课的网页已在浏览器中打开，可用方向键逐步查看：'
else
  say 'The lessons as pages, to step through with the arrow keys; open this in a browser:' \
    '各课的网页，可用方向键逐步查看；请用浏览器打开：'
fi
link "$index"
