#!/usr/bin/env bash
# Fails if the library `$1` gives away anything but the public names isa_…, kvc_… and kvo_…; with
# `print` as `$2` it prints those.
set -euo pipefail

case "$(uname -s)" in
  Darwin) names=$(nm -gU "$1" | awk '{ sub(/^_/, "", $NF); print $NF }') ;;
  *) names=$(nm -D --defined-only "$1" | awk '{ print $NF }') ;;
esac
others=$(printf '%s\n' "$names" | grep -Ev '^(isa_[^_]|kvc_[^_]|kvo_[^_])' || true)
if [ -z "$others" ]; then
  [ "${2:-}" != print ] || printf '%s\n' "$names"
  exit 0
fi
printf 'exports: %s is exported, which no public header declares\n' $others >&2
exit 1
