#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb sweep --slurm` on a real controller (`make slurm`): munged, slurmctld and slurmd run in a
# private folder, and are stopped and removed at the end. The results equal those of a sweep here.
# Then come cancelled tasks, a dead node, a time limit, a full disk, a controller that is gone for a
# while, and the sweep itself killed and told to end. Takes minutes: a time limit of Slurm is at
# least one minute.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
rig=$work/rig
. tests/studies/slurm_rig.sh
for tool in munged slurmctld slurmd sbatch; do
  PATH=$PATH:/usr/sbin command -v $tool > /dev/null || { echo "slurm: no $tool; type: make slurm"; exit 2; }
done
PATH=$PATH:/usr/sbin
mounted= pid=
clean_up() {
  [ -z "$pid" ] || kill "$pid" 2> /dev/null
  rig_stop
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
passed=0 failed=0
. tests/case.sh
mrpb=build/mrpb

cat > "$work/t.sweep" << 'END'
program --kernel gesummv --cut 256
program --ptx docs/examples/ptx/gather.ptx --kernel gather --grid 4 --block 256 --arg buf:65536 --arg buf:65536:rand --arg buf:65536:iota --arg 1024
program --ptx docs/examples/ptx/reverse.ptx --grid 1 --block 64 --shared 12 --arg buf:256:iota
program --trace tests/fuzz/corpus/trace/small.trace.xz
config configs/base-s.conf
config configs/base-s-mrpb.conf
END
here() { $mrpb sweep "$work/t.sweep" --db "$work/here.db" "$@"; }
here > "$work/out" 2> "$work/err"
here --export csv --stat cycles --stat l1d.misses --stat run.message > "$work/here.csv"
rig_start || exit 1

number=0
begin() { # begin OPTION...: a sweep by Slurm into a new store, in the background
  number=$((number + 1))
  db=$work/$number.db
  again "$@"
}
again() {
  setsid $mrpb sweep "$work/t.sweep" --db "$db" --slurm "$@" > "$work/out" 2> "$work/err" &
  pid=$!
}
ends() { # ends NAME CODE: within five minutes, with the results of a sweep here
  local status=late
  if until_ 300 gone "$pid"; then wait "$pid"; status=$?; else kill -9 "$pid"; fi
  pid=
  true_ "$1: exit $status" test "$status" = "$2"
}
gone() { ! kill -0 "$1" 2> /dev/null; }
same() {
  $mrpb sweep "$work/t.sweep" --db "$db" --export csv --stat cycles --stat l1d.misses --stat run.message > "$work/there.csv"
  true_ "$1: the same results" cmp "$work/there.csv" "$work/here.csv"
  true_ "$1: nothing is left beside the store" test "$(cd "$work" && echo "$number".*)" = "$number.db"
}
runs() { [ -n "$(rig_runs)" ]; }
stops() { # stops one of the runs; a run that ends meanwhile does not count
  run=$(rig_runs | head -n 1)
  [ -n "$run" ] && kill -STOP "$run" && sleep 0.1 && [ "$(sed 's/.*) //; s/ .*//' "/proc/$run/stat")" = T ]
} 2> /dev/null
hold() { # stops one of the runs where it is; $held is its task as scancel names it
  local run
  until_ 60 stops || { echo "FAILED: no task runs"; return 1; }
  held=$(tr '\0' '\n' < "/proc/$run/environ" | awk -F= '/^SLURM_ARRAY_JOB_ID=/ {j = $2} /^SLURM_ARRAY_TASK_ID=/ {t = $2} END {print j "_" t}')
}
said() { grep -q "$1" "$work/out"; }

begin
ends "as it is" 1 # one of the programs fails
same "as it is"
true_ "a failure is stored with its reason" grep -q 'outside shared memory of the block' "$work/there.csv"
begin --sbatch --partition=nowhere
ends "an option that sbatch refuses" 2
true_ "a line of sbatch" grep -q '^mrpb sweep: sbatch: .*partition' "$work/err"

begin
hold && scancel "$held"
ends "scancel" 1
true_ "a task was lost, and submitted again" said 'is lost, submitted again'
same "scancel"

begin
hold && kill -9 "$(rig_processes ' sweep --task ' | head -n 1)" $(rig_runs)
ends "kill -9 of a task" 1
same "kill -9 of a task"

begin
hold && rig_kill_node
sleep 15
rig_node
ends "a dead node" 1
same "a dead node"

begin
hold
# not -9: it writes its state late, and would give later jobs the numbers of running ones
kill "$(cat "$rig/slurmctld.pid")"
until_ 30 said 'the queue does not answer; waiting'
slurmctld -f "$SLURM_CONF" > "$rig/slurmctld.out" 2>&1
until_ 30 rig_answers
kill -CONT $(rig_runs) 2> /dev/null
ends "a controller that is gone for a while" 1
true_ "said" said 'the queue does not answer; waiting'
same "a controller that is gone for a while"

begin
hold
kill -9 "$pid"
wait "$pid" 2> /dev/null
kill -CONT $(rig_runs)
again
ends "kill -9 of the sweep" 1
same "kill -9 of the sweep"
true_ "no task was submitted twice" test "$(grep -c lost "$work/out")" = 0

begin
hold
kill -INT "$pid"
wait "$pid"
true_ "Ctrl-C" test $? = 130
true_ "what it says" said 'stays in the queue; the same command collects it'
kill -CONT $(rig_runs)
again
ends "Ctrl-C, and again" 1
same "Ctrl-C, and again"

begin --sbatch --time=1
hold
ends "a time limit" 1
true_ "a task was lost by it" said 'is lost, submitted again'
same "a time limit"

mkdir "$work/disk"
if mount -t tmpfs -o size=40k tmpfs "$work/disk" 2> /dev/null; then
  mounted=$work/disk
  begin --folder "$work/disk/f"
  until_ 120 said 'is lost'
  true_ "a full disk: tasks are lost" said 'is lost'
  mount -o remount,size=10m "$work/disk"
  ends "a full disk" 1
  same "a full disk"
else
  echo "slurm: no full disk: a tmpfs cannot be mounted"
fi
echo "slurm: $passed passed, $failed failed"
[ "$failed" = 0 ]
