#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb sweep` as a user runs it: legal and refused sweeps, sweeps that are killed and continued,
# full disks, two at once. No check depends on the moment of a kill.
#   tests/studies/sweep.sh          the step of `make test`
#   tests/studies/sweep.sh long     1,000 short points: the sweep's share of the CPU time, and ten
#                                   times kill -9 (`make sweep-long`)
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
mounted=
clean_up() {
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap clean_up EXIT
passed=0 failed=0
. tests/case.sh
mrpb=build/mrpb

exits() { # exits NAME CODE PATTERN COMMAND...: at most one line on stderr, which matches; none for PATTERN ''
  local name=$1 code=$2 pattern=$3 status
  shift 3
  "$@" > "$work/out" 2> "$work/err"
  status=$?
  if [ "$status" = "$code" ] && [ "$(wc -l < "$work/err")" = "$([ -z "$pattern" ]; echo $?)" ] && { [ -z "$pattern" ] || grep -qE -- "$pattern" "$work/err"; }
  then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(head -c 400 "$work/err")"
  fi
}
# A random number below N: the moment of a kill differs from run to run, the result must not.
below() { echo $((RANDOM * 32768 + RANDOM)) | awk -v n="$1" '{print $1 % n}'; }

# continued FILE TIMES MS REFERENCE: killed TIMES times within MS ms, then completed: the result is
# that of an undisturbed sweep
continued() {
  local file=$1 times=$2 most=$3 reference=$4 i before=0 now
  rm -f "$work"/k.db*
  for i in $(seq "$times"); do
    { timeout -s KILL "0.$(printf %03d "$(below "$most")")" $mrpb sweep "$file" --db "$work/k.db" --jobs 2 > /dev/null; } 2> /dev/null
    exits "killed $i times: the store opens" 0 '' $mrpb sweep "$file" --db "$work/k.db" --list
    now=$(sed -n '1s/.*: \([0-9]*\) done.*/\1/p' "$work/out")
    true_ "killed $i times: $now results, $before before" test "${now:-0}" -ge "$before"
    before=${now:-0}
  done
  exits "killed, and ended" 0 '' $mrpb sweep "$file" --db "$work/k.db" --jobs 2
  true_ "made once, all that was missing" test "$(wc -l < "$work/out")" = $(($(wc -l < "$reference") - 1 - before))
  $mrpb sweep "$file" --db "$work/k.db" --export csv > "$work/k.csv" 2> "$work/err"
  true_ "as if it had not been killed" cmp "$work/k.csv" "$reference"
  true_ "one file" test "$(cd "$work" && echo k.db*)" = k.db
}

# ---- many ----
long() {
  local points cpu own all
  {
    echo "program --kernel gesummv --cut 8"
    echo "config configs/base-s-mrpb.conf"
    echo "vary MRPB_DEPTH=$(seq -s, 1 20)"
    echo "vary MRPB_LATENCY=$(seq -s, 3 12)"
    echo "vary MSHR_ENTRIES=8,16,32,48,64"
  } > "$work/many.sweep"
  TIMEFORMAT='%U %S %R'
  { time $mrpb sweep "$work/many.sweep" --db "$work/r.db" --jobs "$(nproc)" > "$work/out" 2> "$work/err"; } 2> "$work/time"
  $mrpb sweep "$work/many.sweep" --db "$work/r.db" --export csv --stat run.cpu_seconds > "$work/cpu.csv"
  points=$(awk -F, 'NR > 1 && $(NF - 1) == "0"' "$work/cpu.csv" | wc -l)
  cpu=$(awk -F, 'NR > 1 {sum += $NF} END {print sum}' "$work/cpu.csv")
  read -r own all wall < "$work/time"
  true_ "1,000 points" test "$points" = 1000
  awk -v runs="$cpu" -v u="$own" -v s="$all" -v wall="$wall" -v jobs="$(nproc)" 'BEGIN {
    printf "1,000 points: %.1f CPU-s in the runs, %.1f in all: %.1f %% on top; %.1f s on %d processors\n",
      runs, u + s, 100 * (u + s - runs) / runs, wall, jobs }'
  $mrpb sweep "$work/many.sweep" --db "$work/r.db" --export csv > "$work/r.csv"
  $mrpb sweep "$work/many.sweep" --db "$work/r.db" --export csv --stat run.cpu_seconds > /dev/null
  awk -v c="$cpu" -v u="$own" -v s="$all" 'BEGIN { exit !(u + s <= 1.05 * c) }'
  true_ "at most 5 % on top" [ $? = 0 ]
  # Kills at any time of the sweep, ten times; then lets it complete.
  rm -f "$work"/k.db*
  local i before=0 now most
  most=$(awk -v w="$wall" 'BEGIN {print int(1000 * w / 8)}')
  for i in $(seq 10); do
    { timeout -s KILL "$(awk -v ms="$(below "$most")" 'BEGIN {print ms / 1000}')" \
      $mrpb sweep "$work/many.sweep" --db "$work/k.db" --jobs "$(nproc)" > /dev/null; } 2> /dev/null
    exits "killed $i times: the store opens" 0 '' $mrpb sweep "$work/many.sweep" --db "$work/k.db" --list
    now=$(sed -n '1s/.*: \([0-9]*\) done.*/\1/p' "$work/out")
    echo "killed $i times: $now results"
    true_ "killed $i times: none is lost" test "$now" -ge "$before"
    before=$now
  done
  $mrpb sweep "$work/many.sweep" --db "$work/k.db" --jobs "$(nproc)" > "$work/out" 2> "$work/err"
  true_ "the rest, once" test "$(wc -l < "$work/out")" = $((1000 - before))
  $mrpb sweep "$work/many.sweep" --db "$work/k.db" --export csv > "$work/k.csv"
  true_ "nothing lost, nothing twice" cmp "$work/k.csv" "$work/r.csv"
}
if [ "${1:-}" = long ]; then
  long
  echo "sweep, long: $passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
fi

# ---- programs of every kind ----
cat > "$work/t.sweep" << 'END'
program --kernel gesummv --size 64 --cut 8
program --kernel micro-chain-l1 --cut 4 --check
program --ptx docs/examples/ptx/gather.ptx --kernel gather --grid 4 --block 256 --arg buf:65536 --arg buf:65536:rand --arg buf:65536:iota --arg 1024
program --trace tests/fuzz/corpus/trace/small.trace.xz
config configs/base-s.conf
config configs/base-s-mrpb.conf
set SMS=2
vary MRPB_DEPTH=4,8
END
sweep="$mrpb sweep $work/t.sweep --db $work/r.db"
exits "what would be run" 0 '' $sweep --list
true_ "16 of them" grep -q '^16 points: 0 done, 0 failed, 16 to run; CPU time: unknown$' "$work/out"
true_ "nothing was made" test ! -e "$work/r.db"
exits "sweep" 0 '' $sweep --jobs 2
true_ "a line for each" test "$(grep -c '^\[[0-9]*/16\] ' "$work/out")" = 16
exits "again" 0 '' $sweep
true_ "nothing to do" test ! -s "$work/out"
$sweep --export csv > "$work/r.csv"
true_ "16 rows" test "$(grep -c ',0,0\.' "$work/r.csv")" = 16
$mrpb run -c configs/base-s-mrpb.conf --set SMS=2 --set MRPB_DEPTH=8 --kernel gesummv --size 64 --cut 8 --json "$work/run.json" > /dev/null
$sweep --export csv --stat cycles --stat config_hash > "$work/few.csv"
true_ "the numbers of a run" grep -q "gesummv.*,1,8,0,$(sed -n 's/^  "cycles": \(.*\),$/\1/p' "$work/run.json"),$(sed -n 's/.*"config_hash": "\(.*\)",/\1/p' "$work/run.json")" "$work/few.csv"
true_ "an option gives the point of the file" $mrpb sweep --kernel gesummv --cut 8 --size 64 -c configs/base-s.conf --set SMS=2 --db "$work/r.db" > "$work/out"
true_ "nothing to do for it" test ! -s "$work/out"
$sweep --export json --stat cycles --out "$work/r.json"
true_ "JSON" test "$(grep -c '"cycles":' "$work/r.json")" = 16

# ---- every kind of GPU ----
cat > "$work/g.sweep" << 'END'
program --kernel atax --cut 2
config configs/base-s.conf
config configs/h200.conf
vary WARPS_PER_SM=16,32
END
gpus="$mrpb sweep $work/g.sweep --db $work/g.db"
exits "two kinds of GPU" 0 '' $gpus --jobs 2
$gpus --export csv --stat cycles > "$work/g.csv"
column() { awk -F, -v name="$1" -v row="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) at = i} NR == row {print $at}' "$work/g.csv"; }
run_cycles() { $mrpb run -c "$1" --set "$2" --kernel atax --cut 2 | sed -n 's/^  cycles *//p'; }
true_ "four rows" test "$(wc -l < "$work/g.csv")" = 5
true_ "which cores" test "$(column CORE 2) $(column CORE 4)" = 'pipeline in-order'
true_ "a key of one kind" test "$(column DRAM_CL 2),$(column DRAM_CL 4)" = '12,'
true_ "a key of the other" test "$(column PRT_LOADS 2),$(column PRT_LOADS 4)" = ',510'
true_ "the cycles of a run" test "$(column cycles 4)" = "$(run_cycles configs/h200.conf WARPS_PER_SM=16)"
exits "again" 0 '' $gpus
true_ "nothing to do for them" test ! -s "$work/out"
exits "a key that one lacks" 2 '^mrpb sweep: .*PRT_LOADS is a key of in-order cores; legal: keys of GPUs of pipeline cores with flits$' \
  $mrpb sweep --kernel atax --cut 2 -c configs/h200.conf -c configs/base-s.conf --vary PRT_LOADS=4 --db "$work/g.db"
printf 'program --kernel atax --cut 2\nconfig configs/h200.conf\nset PRT_LOADS=44\npoint PRT_ORDER=any\npoint PRT_ORDER=in-order\n' > "$work/h.sweep"
exits "keys of in-order cores" 0 '' $mrpb sweep "$work/h.sweep" --db "$work/g.db"
true_ "two points" test "$(wc -l < "$work/out")" = 2

# ---- an edited file is another program, a copied one is the same ----
cp docs/examples/ptx/reverse.ptx "$work/k.ptx"
ptx="--kernel reverse --grid 1 --block 64 --shared 256 --arg buf:256:iota -c configs/base-s.conf --db $work/p.db"
exits "PTX" 0 '' $mrpb sweep --ptx "$work/k.ptx" $ptx
mv "$work/k.ptx" "$work/l.ptx"
exits "the same elsewhere" 0 '' $mrpb sweep --ptx "$work/l.ptx" $ptx
true_ "is not run again" test ! -s "$work/out"
echo "// edited" >> "$work/l.ptx"
exits "an edited one" 0 '' $mrpb sweep --ptx "$work/l.ptx" $ptx
true_ "is run" test "$(wc -l < "$work/out")" = 1

# ---- failures ----
cat > "$work/f.sweep" << 'END'
program --ptx docs/examples/ptx/reverse.ptx --grid 1 --block 64 --shared 12 --arg buf:256:iota
program --ptx docs/examples/ptx/reverse.ptx --grid 1 --block 64 --shared 256 --arg buf:256:iota
config configs/base-s.conf
END
fail="$mrpb sweep $work/f.sweep --db $work/f.db"
exits "a run that fails" 1 'some points failed' $fail
true_ "says why" grep -q 'FAILED (exit 2): .*4-byte store at .*: outside' "$work/out"
true_ "the other one is made" grep -q '/2\].* MB$' "$work/out"
exits "not again" 1 'some points failed' $fail
true_ "said" grep -q '^1 points failed in an earlier run; --retry-failed' "$work/out"
exits "again" 1 'some points failed' $fail --retry-failed
true_ "it alone" test "$(grep -c FAILED "$work/out")$(wc -l < "$work/out")" = 11

# ---- refused before anything runs ----
one="$mrpb sweep --kernel atax --cut 4 -c configs/base-s.conf --db $work/e.db"
exits "unknown key" 2 'MRPB_DEPHT.*nearest: MRPB_DEPTH' $one --vary MRPB_DEPHT=4
exits "illegal value" 2 'MRPB_LATENCY' $one --vary MRPB_LATENCY=4,2
exits "what cannot be built" 2 'SCHEDULERS' $one --set WARPS_PER_SM=1 --vary SCHEDULERS=1,2
exits "unknown program" 2 'gesumv.*gesummv' $mrpb sweep --kernel gesumv -c configs/base-s.conf --db "$work/e.db"
exits "an option that it has not" 2 '--steps: atax' $one --steps 4
exits "no configuration" 2 'no configuration' $mrpb sweep --kernel atax
exits "no such trace" 2 'nowhere' $mrpb sweep --trace "$work/nowhere" -c configs/base-s.conf
exits "a list of traces" 2 'legal in a sweep: a trace in one file|such file' $mrpb sweep --trace <(printf 'x.traceg\n') -c configs/base-s.conf
exits "no such text" 2 'nowhere' $mrpb sweep --ptx "$work/nowhere" --grid 1 --block 1 -c configs/base-s.conf
exits "file and options" 2 'legal: one of them' $sweep --kernel atax
exits "no such file" 2 'nowhere' $mrpb sweep "$work/nowhere"
exits "a folder" 2 'folder|directory' $mrpb sweep "$work"
exits "a program with --help" 2 ':1: --help: not an option' $mrpb sweep <(echo program --help)
exits "an unknown option of a program" 2 ":1: unknown option '--kernl'" $mrpb sweep <(echo program --kernl x)
exits "export as a picture" 2 'legal: csv, json' $sweep --export svg
exits "export of nothing" 2 'missing; legal: a store' $one --export csv
exits "statistics without export" 2 'with --export' $one --stat cycles
true_ "nothing of these is left" test ! -e "$work/e.db"

# ---- files that are not stores ----
echo "no store, but a text that is long enough to be looked at as one by whoever opens it" > "$work/text.db"
exits "a text" 2 'text\.db: file is not a database' $mrpb sweep "$work/t.sweep" --db "$work/text.db"
head -c 20000 "$work/r.db" > "$work/cut.db"
exits "half a store" 2 'cut\.db: (database disk image is malformed|cut off)' $mrpb sweep "$work/t.sweep" --db "$work/cut.db"
exits "a folder for a store" 2 'a folder; legal' $mrpb sweep "$work/t.sweep" --db "$work"
exits "/dev/full" 2 '/dev/full' $mrpb sweep "$work/t.sweep" --db /dev/full
exits "a folder that cannot be written" 2 '/proc/x\.db\.lock: ' $mrpb sweep "$work/t.sweep" --db /proc/x.db
exits "export to a full disk" 2 '/dev/full' $sweep --export csv --out /dev/full
exits "export nowhere" 2 'nowhere' $sweep --export csv --out "$work/nowhere/x"

# ---- full disks ----
# No file may grow beyond 48 kB; then a disk that is full, where root can make one. The store still
# opens, and the sweep continues.
(trap '' XFSZ; ulimit -f 48; exec $mrpb sweep "$work/t.sweep" --db "$work/small.db") > "$work/out" 2> "$work/err"
true_ "a small file: exit 2" [ $? = 2 -a "$(wc -l < "$work/err")" = 1 ]
exits "it goes on" 0 '' $mrpb sweep "$work/t.sweep" --db "$work/small.db"
$mrpb sweep "$work/t.sweep" --db "$work/small.db" --export csv > "$work/small.csv"
true_ "to the same results" cmp "$work/small.csv" "$work/r.csv"
mkdir "$work/disk"
if mount -t tmpfs -o size=100k tmpfs "$work/disk" 2> /dev/null; then
  mounted=$work/disk
  exits "a full disk" 2 'disk.*full|disk I/O' $mrpb sweep "$work/t.sweep" --db "$work/disk/r.db"
  mount -o remount,size=10m "$work/disk"
  exits "a larger one" 0 '' $mrpb sweep "$work/t.sweep" --db "$work/disk/r.db"
  $mrpb sweep "$work/t.sweep" --db "$work/disk/r.db" --export csv > "$work/disk.csv"
  true_ "the same results" cmp "$work/disk.csv" "$work/r.csv"
fi

# ---- killed, told to end, two at once ----
continued "$work/t.sweep" 6 400 "$work/r.csv"
slow="$mrpb sweep --kernel gesummv -c configs/base-s.conf --db $work/s.db"
$slow > "$work/slow.out" 2> "$work/slow.err" &
pid=$!
for _ in $(seq 100); do [ -s "$work/s.db.lock" ] && break; sleep 0.1; done
exits "a second one" 2 "process $pid on .* uses it; legal: one sweep at a time" $slow
exits "a look meanwhile" 0 '' $slow --list
kill -INT "$pid"
wait "$pid"
true_ "Ctrl-C" [ $? = 130 -a "$(cat "$work/slow.err")" = "mrpb sweep: interrupted; the same command resumes from here" ]
true_ "nothing is left but the store" test "$(cd "$work" && echo s.db*)" = s.db
exits "missing, not failed" 0 '' $slow --list
true_ "of it" grep -q '^1 points: 0 done, 0 failed, 1 to run' "$work/out"
true_ "no run is left" test -z "$(ps -o pid= --ppid "$pid")"

# ---- fewer runs: the same results, the same winners ----
fewer="$mrpb sweep --kernel atax --cut 4 -c configs/base-s-mrpb.conf --set SMS=2 --vary SWL_LIMIT=0,1,16,24,48 --vary PRT_ENTRIES=4,64,256"
without_notes() { awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "note") at = i} {line = $1; for (i = 2; i <= NF; i++) if (i != at) line = line "," $i; print line}'; }
exits "every point" 0 '' $fewer --db "$work/n.db"
exits "derived" 0 '' $fewer --db "$work/q.db" --skip-equal --jobs 2
true_ "some are" grep -qE '^[1-9][0-9]* points derived, 0 ended$' "$work/out"
true_ "a line for each" grep -q ' SWL_LIMIT=24 .*: equal to [0-9a-f]\{16\}$' "$work/out"
$fewer --db "$work/n.db" --export csv > "$work/n.csv"
$fewer --db "$work/q.db" --export csv > "$work/q.csv"
true_ "said in the export" grep -q ',0,equal to [0-9a-f]\{16\},' "$work/q.csv"
without_notes < "$work/q.csv" > "$work/q0.csv"
true_ "the same results" cmp "$work/q0.csv" "$work/n.csv"
best="$mrpb sweep --kernel atax --cut 16 -c configs/base-s.conf --vary SWL_LIMIT=4,2,1,16"
exits "the whole search" 0 '' $best --db "$work/v.db"
winner() { $best --db "$1" --export csv --stat cycles | without_notes | awk -F, 'NR > 1 && $NF != "" && (least == "" || $NF < least) {least = $NF; at = $(NF - 2)} END {print at, least}'; }
for jobs in 1 2 4; do
  rm -f "$work/b.db"
  exits "best, $jobs jobs" 0 '' $best --db "$work/b.db" --best SWL_LIMIT --jobs "$jobs"
  true_ "losers end" grep -qE '^0 points derived, [12] ended$' "$work/out"
  true_ "the same winner" test "$(winner "$work/b.db")" = "$(winner "$work/v.db")"
done
exits "again" 0 '' $best --db "$work/b.db" --best SWL_LIMIT
true_ "ended is over" test ! -s "$work/out"
exits "ended, without --best" 0 '' $best --db "$work/b.db" --list
true_ "is to be run" grep -qE '^4 points: [23] done, 0 failed, [12] to run' "$work/out"
exits "it is" 0 '' $best --db "$work/b.db"
$best --db "$work/b.db" --export csv > "$work/b.csv"
$best --db "$work/v.db" --export csv > "$work/v.csv"
true_ "as the whole search" cmp "$work/b.csv" "$work/v.csv"
exits "best of an unknown key" 2 'SWL_LIMT: no such key; nearest: SWL_LIMIT' $best --db "$work/b.db" --best SWL_LIMT
exits "best of a key that is the same" 2 '--best MRPB: legal: a key in which the points differ' $best --db "$work/b.db" --best MRPB
exits "not through Slurm" 2 'legal: without --slurm' $best --db "$work/b.db" --best SWL_LIMIT --slurm
exits "derived, not through Slurm" 2 'legal: without --slurm' $best --db "$work/b.db" --skip-equal --slurm
long="$mrpb sweep --kernel gesummv -c configs/base-s.conf --vary SWL_LIMIT=0,1 --db $work/i.db --best SWL_LIMIT --skip-equal"
$long > "$work/long.out" 2> "$work/long.err" &
pid=$!
for _ in $(seq 100); do pgrep -P "$pid" > /dev/null && break; sleep 0.1; done
kill -INT "$pid"
wait "$pid"
true_ "Ctrl-C in a run that has a bound" [ $? = 130 -a ! -s "$work/long.out" ]
exits "nothing was ended" 0 '' $long --list
true_ "it is missing" grep -q '^2 points: 0 done, 0 failed, 2 to run' "$work/out"
# Killed at any time, with every process of it, the same command gives the same results.
kill9="$fewer --db $work/k.db --skip-equal --jobs 2"
killed=0
for ms in 05 10 20 30 50 80; do
  setsid $kill9 > "$work/killed" 2>&1 &
  pid=$!
  sleep "0.$ms"
  kill -KILL -- "-$pid" 2> /dev/null && killed=$((killed + 1))
  wait "$pid" 2> /dev/null
done
true_ "some were killed" test "$killed" -ge 1
exits "after kill -9" 0 '' $kill9
$fewer --db "$work/k.db" --export csv > "$work/k.csv"
without_notes < "$work/k.csv" > "$work/k0.csv"
true_ "the same results as of every point" cmp "$work/k0.csv" "$work/n.csv"
# ---- Slurm, with fake commands; `make slurm` uses the real ones ----
# sbatch runs the tasks at once, but loses all of them while the file `lose` has lines, one per
# call; squeue lists none of them, or does not answer while `gone` exists.
mkdir "$work/bin"
cat > "$work/bin/sbatch" << 'END'
#!/bin/bash
here=${0%/bin/*}
echo "$*" >> "$here/sbatch.log"
for word; do
  case $word in --array=0-*) last=${word#--array=0-} ;; --output=*) log=${word#--output=} ;; --bad) echo "sbatch: no $word" >&2; exit 1 ;; esac
done
echo 17
[ ! -s "$here/lose" ] || { sed -i 1d "$here/lose"; echo "no room" > "${log/\%a/0}"; exit 0; }
for i in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$i sh "$word" > "${log/\%a/$i}" 2>&1; done
END
cat > "$work/bin/squeue" << 'END'
#!/bin/sh
[ ! -e "${0%/bin/*}/gone" ] || { rm "${0%/bin/*}/gone"; echo "squeue: no contact" >&2; exit 1; }
END
chmod +x "$work"/bin/*
slurm() { PATH=$work/bin:$PATH $mrpb sweep "$work/t.sweep" --db "$work/c.db" --slurm "$@"; }
collected() { # collected NAME: as a sweep here, and only the store is left
  $mrpb sweep "$work/t.sweep" --db "$work/c.db" --export csv > "$work/c.csv"
  true_ "$1: the same results" cmp "$work/c.csv" "$work/r.csv"
  true_ "$1: nothing beside the store" test "$(cd "$work" && echo c.db*)" = c.db
  rm -f "$work/c.db"
}
exits "without Slurm" 2 'sbatch: ' env PATH=/nonexistent "$PWD/$mrpb" sweep "$work/t.sweep" --db "$work/c.db" --slurm
exits "what sbatch refuses" 2 'sbatch: exit status 1: sbatch: no --bad' slurm --sbatch --bad
true_ "nothing is left of it" test "$(cd "$work" && echo c.db*)" = c.db
echo > "$work/gone"
exits "Slurm" 0 '' slurm --sbatch --time=5
true_ "the user's option" grep -q -- '--time=5 .*/task.sh' "$work/sbatch.log"
true_ "a queue that does not answer once" grep -q '^the queue does not answer; waiting: squeue: exit status 1: squeue: no contact' "$work/out"
collected "Slurm"
echo > "$work/lose"
exits "lost once" 0 '' slurm
true_ "said, with its last words" grep -q 'task 0 of .* is lost, submitted again: no room$' "$work/out"
collected "lost once"
printf '\n\n\n' > "$work/lose"
exits "lost three times" 1 'some points failed' slurm
true_ "missing, not failed" grep -q '^16 points were lost 3 times and are missing' "$work/out"
exits "the same command" 0 '' slurm
collected "lost three times"
# Jobs of another process that was killed after submitting them, and a file that is not a batch.
PATH=$work/bin:$PATH $mrpb sweep "$work/t.sweep" --db "$work/d.db" --slurm --folder "$work/d" > /dev/null &
until compgen -G "$work/d/mrpb-sweep-*/15.result" > /dev/null || ! kill -0 $! 2> /dev/null; do sleep 0.01; done
{ kill -9 $!; wait $!; } 2> /dev/null
mkdir -p "$work/d/mrpb-sweep-strange" "$work/d/mrpb-sweep-hostile"
echo '{' > "$work/d/mrpb-sweep-hostile/0.result"
echo '{"version": 2, "name": 1}' > "$work/d/mrpb-sweep-hostile/1.point"
exits "a sweep that was killed" 0 '' slurm --folder "$work/d"
true_ "its folder" test ! -e "$work/d"
collected "a sweep that was killed"
exits "a task without Slurm" 2 'SLURM_ARRAY_TASK_ID' env -u SLURM_ARRAY_TASK_ID $mrpb sweep --task "$work"
exits "a task without a point" 2 '7\.point: not a point' env SLURM_ARRAY_TASK_ID=7 $mrpb sweep --task "$work"
exits "options without --slurm" 2 'legal: with --slurm' $sweep --sbatch --time=1
echo "sweep: $passed passed, $failed failed"
[ "$failed" = 0 ]
