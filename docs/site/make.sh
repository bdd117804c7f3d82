#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The documentation as a site, for `make site`: staged by stage.py, made by mkdocs, its links checked by links.py.
#   docs/site/make.sh [TREE=.] [OUT=build]   OUT/site; a line for each page that no index lists and each dead link, exit 1
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
