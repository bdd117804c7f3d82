#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation site, for `make site`: stage.py stages it, mkdocs builds it, and links.py
# checks its links.
#   docs/site/make.sh [TREE=.] [OUT=build]   OUT/site; prints a line for each page that no index
#                                            lists and each dead link, then exits with 1
set -eu
here=$(realpath "$(dirname "$0")")
tree=$(realpath "${1:-$here/../..}")
out=${2:-$tree/build}
mkdir -p "$out"
# Debian's Python has mkdocs; nothing is written beside the scripts.
export PYTHONDONTWRITEBYTECODE=1
/usr/bin/python3 "$here/stage.py" "$tree" "$out"
/usr/bin/python3 -m mkdocs build --quiet --clean --config-file "$out/site.yml"
rm -f "$out"/site/sitemap.xml*
/usr/bin/python3 "$here/links.py" "$out/site"
