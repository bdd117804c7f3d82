# SPDX-License-Identifier: Apache-2.0
# Sourced by bugs/run.sh and prove/unequal/run.sh: sources that are broken on purpose, several side by side, a line for each.
# They give, as functions:
#   seek NAME ...        why NAME was not found to be broken, and fails; or what shows it
#   row NAME SAID SECONDS   its line, from what seek said
. tests/edit.sh
jobs=$(nproc)
work=$(mktemp -d) # a folder $work/NAME for each
trap 'rm -rf "$work"' EXIT

known() { # known KEY FOLDER NAME...: refuses names that no list in FOLDER has
  local key=$1 folder=$2 name
  shift 2
  for name in "$@"; do
    grep -qh "^$key  *$name:" "$folder"/*.txt || { echo "$name: no such $key in $folder" >&2; exit 2; }
  done
}

one() { # one NAME ...: its line, in $work/NAME.ok or .failed
  local said start=$SECONDS
  if said=$(seek "$@"); then
    row "$1" "$said" $((SECONDS - start)) | tee "$work/$1.ok"
  else
    echo "FAILED: $1: $said" | tee "$work/$1.failed"
  fi
  rm -rf "${work:?}/$1"
}

begin() { # begin NAME ...: one, in the background, when there is room
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
  one "$@" &
}

finish() { # how many: $passed, $failed
  wait
  passed=$(find "$work" -name '*.ok' | wc -l) failed=$(find "$work" -name '*.failed' | wc -l)
}
