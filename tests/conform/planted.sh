# SPDX-License-Identifier: Apache-2.0
# Sourced by path_bugs.sh and l1_top.sh: what a planted bug must show, the line about it, and the
# table of these lines in a page. The sourcing script defines
#   conform WORK ARG...   what mrpb says of the design with the bug in the folder WORK, in WORK/said
TIMEFORMAT='%U %S'

clause() { # clause WORK: the clause that is broken
  sed -n 's/^VIOLATED .*(\(.*\)), cycle.*/\1/p; s/^MISMATCH .*/lockstep/p' "$1/said"
}

# judge WORK CLAUSES ARG...: one of the clauses is broken, in 60 s of CPU time and with at most 20
# transactions, and again when the case is played. Sets found, left, seconds; WORK/why says why not
judge() {
  local work=$1 clauses=$2 rc=0 case_file
  shift 2
  if { time conform "$work" --cases "$work/cases" "$@"; } 2> "$work/time"; then rc=0; else rc=$?; fi
  seconds=$(tail -n 1 "$work/time" | awk '{ printf "%.1f", $1 + $2 }')
  found=$(clause "$work")
  left=$(sed -n 's/^  shrunk to *\([0-9]*\) transactions.*/\1/p' "$work/said")
  case_file=$(sed -n 's/^  kept  *//p' "$work/said")
  [ $rc = 1 ] || { echo "exit $rc, $(tail -n 1 "$work/said" | cut -c 1-120)" > "$work/why"; return; }
  case " $clauses " in *" $found "*) ;; *) echo "clause $found instead of $clauses" > "$work/why"; return ;; esac
  [ "${left:-0}" -le 20 ] || echo "$left transactions" > "$work/why"
  awk "BEGIN { exit $seconds <= 60 }" && echo "$seconds s" > "$work/why"
  conform "$work" --replay "$case_file"
  [ "$(clause "$work")" = "$found" ] || echo "played again: $(head -n 1 "$work/said" | cut -c 1-120)" > "$work/why"
}

line() { # line NAME CLAUSE TRANSACTIONS SECONDS KIND: of the table; without arguments its head
  [ $# != 0 ] || set -- bug clause transactions 'CPU s' kind
  printf '%-30s %-10s %12s %8s  %s\n' "$@"
}

rows() { # rows FILE...: the table of what was printed, and a line about all of it
  cat "$@" | awk '$2 ~ /^[a-z]+$/ && $4 ~ /^[0-9.]+$/ {
      kind = $0; for (i = 0; i < 4; i++) sub(/^[^ ]+ +/, "", kind); sub(/^long: /, "", kind)
      row[++n] = "| " $1 " | " kind " | " $2 " | " $3 " | " $4 " |"
      kinds += !seen[kind]++
      if ($4 > slow) slow = $4
      if ($3 > long) long = $3
    }
    END {
      printf "%d bugs of %d kinds: the slowest takes %s s, the longest case has %d transactions.\n\n", n, kinds, slow, long
      print "| bug | kind | clause | transactions | CPU s |"
      print "| --- | --- | --- | ---: | ---: |"
      for (i = 1; i <= n; i++) print row[i]
    }'
}

into_page() { # into_page PAGE FILE...
  local page=$1 new
  shift
  new=$(mktemp)
  { sed '/^<!-- bugs -->$/q' "$page"; rows "$@"; sed -n '/^<!-- \/bugs -->$/,$p' "$page"; } > "$new"
  cat "$new" > "$page"
  rm "$new"
}
