#!/usr/bin/env bash
# Builds the programs of this package into the folder `$1`, each by itself and from nothing, and
# writes beside each how many seconds of the processor's time that took. What is fetched is not
# counted. Prints a line `left out: …` for each that cannot be had.
# Exit code: 0; 3: something was left out.
set -euo pipefail
out=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"
code=0
for name in empty hello-isakvo hello-opencombine hello-collections firsts; do
  scratch=$out/build/$name
  rm -rf "$scratch"
  log=$out/$name.log
  TIMEFORMAT='%U %S'
  if swift package --scratch-path "$scratch" resolve >"$log" 2>&1 &&
    times=$({ time swift build -c release --scratch-path "$scratch" --product "$name" \
      --disable-index-store >>"$log" 2>&1; } 2>&1); then
    strip -o "$out/$name" "$scratch/release/$name"
    awk '{ print $1 + $2 }' <<<"$times" >"$out/$name.seconds"
  else
    rm -f "$out/$name"
    echo "left out: program $name: it does not build, see $log"
    code=3
  fi
done
exit "$code"
