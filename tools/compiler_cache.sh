#!/bin/bash
# Runs the compiler behind ccache, so that what was compiled once is not compiled again, in this folder or in another clone.
# CMake calls it before the compiler (cmake/compiler_cache.cmake); the first argument is the root of the sources.
#
# A precompiled header holds the paths of its clone, so its bytes differ from clone to clone. It is therefore compiled each
# time (seconds), and a checksum of all that it was made from is put beside it, which ccache takes instead of its bytes.
set -euo pipefail
root="$1"
shift

precompiled= output= dependencies= previous=
for argument in "$@"; do
  case "$previous" in
    -o) output="$argument" ;;
    -MF) dependencies="$argument" ;;
    -x) [ "$argument" = c++-header ] && precompiled=yes ;;
  esac
  previous="$argument"
done

if [ -n "$precompiled" ]; then
  "$@"
  { printf '%s\n' "$@"
    sed -e 's/^[^:]*: *//' -e 's/\\$//' "$dependencies" | tr -s ' \n' '\n\n' | grep . | xargs -d '\n' cat
  } | sed "s|$root||g" | sha256sum > "$output.sum"
  exit 0
fi

# ccache makes most paths relative by itself, but not those that -Xclang hands on.
here="$(realpath --relative-to=. "$root")"
arguments=()
for argument in "$@"; do
  case "$argument" in
    "$root"/*) arguments+=("$here${argument#"$root"}") ;;
    *) arguments+=("$argument") ;;
  esac
done

export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
exec ccache "${arguments[@]}"
