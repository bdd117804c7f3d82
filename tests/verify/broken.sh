# SPDX-License-Identifier: Apache-2.0
# Sourced by bugs/run.sh and prove/unequal/run.sh: runs deliberately broken sources, several in
# parallel, and prints a line for each. The sourcing script defines the functions
#   seek NAME ...        prints what exposes NAME; or prints why it was not found, and fails
#   row NAME SAID SECONDS   its line, from the output of seek
. tests/edit.sh
jobs=$(nproc)
work=$(mktemp -d) # has a folder $work/NAME for each
trap 'rm -rf "$work"' EXIT

known() { # known KEY FOLDER NAME...: refuses names that are in no list in FOLDER
  local key=$1 folder=$2 name
  shift 2
  for name in "$@"; do
    grep -qh "^$key  *$name:" "$folder"/*.txt || { echo "$name: no such $key in $folder" >&2; exit 2; }
  done
}

one() { # one NAME ...: runs it; its line goes to $work/NAME.ok or .failed
  local said start=$SECONDS
  if said=$(seek "$@"); then
    row "$1" "$said" $((SECONDS - start)) | tee "$work/$1.ok"
  else
    echo "FAILED: $1: $said" | tee "$work/$1.failed"
  fi
  rm -rf "${work:?}/$1"
}

begin() { # begin NAME ...: starts one in the background, when there is room
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
  one "$@" &
}

finish() { # how many: $passed, $failed
  wait
  passed=$(find "$work" -name '*.ok' | wc -l) failed=$(find "$work" -name '*.failed' | wc -l)
}
