#!/bin/bash
# Builds the reference of the C++ interface: HTML of what src/polhode/polhode.h includes. Fails on any warning.
#
#   tools/reference.sh FOLDER
set -euo pipefail

mkdir -p "$1"
folder="$(cd "$1" && pwd)"
cd "$(dirname "$0")/.."

headers="$(sed -n 's|^#include "\(polhode/.*\)"$|src/\1|p' src/polhode/polhode.h | grep -v '/version\.h$')"
{
  cat docs/Doxyfile
  echo "INPUT = src/polhode/polhode.h" $headers
  echo "OUTPUT_DIRECTORY = \"$folder\""
} | doxygen -
