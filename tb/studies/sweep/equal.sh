#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the table of docs/sweep.md from tb/studies/sweep/equal.def.
set -eu
cd "$(dirname "$0")/../../.."
echo '| key | the peak is | sizes from the peak + | why the size decides nothing else |'
echo '| --- | --- | --- | --- |'
sed -n '/^EQUAL(/{N;s/^EQUAL(\([A-Z0-9_]*\), "\([^"]*\)", \([0-9]*\), \([a-z]*\),\n *"\(.*\)")$/| `\1` | `\2` | \3\4 | \5 |/;s/true |/, or 0 |/;s/false |/ |/;p}' \
  tb/studies/sweep/equal.def
