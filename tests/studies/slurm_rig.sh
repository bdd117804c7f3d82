# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of one node, this machine, for a test: munged, slurmctld and slurmd with all their
# files in one folder, run by the current user. Sourced; $rig is the folder. It touches nothing of a
# Slurm that already runs here.
free_port() {
  local port
  for port in $(shuf -i 20000-29999 -n 50); do
    (exec 3<> /dev/tcp/127.0.0.1/"$port") 2> /dev/null || { echo "$port"; return; }
  done
}

rig_write() {
  local host
  host=$(hostname -s)
  mkdir -p "$rig/state" "$rig/spool" "$rig/etc"
  chmod 755 "$rig"
  export SLURM_CONF=$rig/etc/slurm.conf
  cat > "$SLURM_CONF" << END
ClusterName=mrpbtest
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$rig/munge.sock
CryptoType=crypto/munge
CredType=cred/munge
StateSaveLocation=$rig/state
SlurmdSpoolDir=$rig/spool
SlurmctldPidFile=$rig/slurmctld.pid
SlurmdPidFile=$rig/slurmd.pid
SlurmctldLogFile=$rig/slurmctld.log
SlurmdLogFile=$rig/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=10
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    printf 'CgroupPlugin=cgroup/v2\nIgnoreSystemd=yes\n'
  else
    echo CgroupPlugin=cgroup/v1
  fi > "$rig/etc/cgroup.conf"
}

rig_node() { slurmd -f "$SLURM_CONF" > "$rig/slurmd.out" 2>&1; }

# Waits until a command succeeds, for at most SECONDS.
until_() { # until_ SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}
rig_idle() { [ "$(sinfo --noheader --format=%t 2> /dev/null)" = idle ]; }

rig_start() {
  rig_write
  dd if=/dev/urandom of="$rig/munge.key" bs=1k count=1 2> /dev/null
  chmod 600 "$rig/munge.key"
  munged --force --socket="$rig/munge.sock" --key-file="$rig/munge.key" --pid-file="$rig/munged.pid" --log-file="$rig/munged.log" \
    --seed-file="$rig/munged.seed" 2> "$rig/munged.err" || { cat "$rig/munged.err"; return 1; }
  slurmctld -f "$SLURM_CONF" > "$rig/slurmctld.out" 2>&1 || { cat "$rig/slurmctld.out"; return 1; }
  rig_node || { cat "$rig/slurmd.out"; return 1; }
  until_ 30 rig_idle || { echo "slurm: no idle node: $(sinfo 2>&1 | tail -1)"; tail -5 "$rig"/*.log; return 1; }
}

# Finds processes of the rig's jobs by their environment, which names the rig.
rig_processes() { # rig_processes PATTERN: the process numbers of those whose command line matches
  local p
  for p in /proc/[0-9]*; do
    grep -qsz "^SLURM_CONF=$SLURM_CONF\$" "$p/environ" && grep -qsz "^SLURM_JOB_ID=" "$p/environ" &&
      tr '\0' ' ' < "$p/cmdline" 2> /dev/null | grep -q -- "$1" && echo "${p#/proc/}"
  done
}
rig_runs() { rig_processes ' run -c /dev/fd/3 '; }
rig_steps() { ps -eo pid=,args= | awk '$2 ~ /^slurmstepd/ {print $1}'; }
rig_kill_node() { # kills slurmd and its jobs, as a power failure would
  kill -9 "$(cat "$rig/slurmd.pid")"
  # shellcheck disable=SC2046
  kill -9 $(rig_steps) $(rig_processes '') 2> /dev/null
  true
}
rig_stop() {
  local f
  [ ! -e "$rig/slurmctld.pid" ] || scancel --user="$(id -un)" > /dev/null 2>&1
  sleep 1
  for f in slurmd slurmctld munged; do
    [ ! -s "$rig/$f.pid" ] || kill "$(cat "$rig/$f.pid")" 2> /dev/null
  done
  until_ 10 rig_gone || for f in slurmd slurmctld munged; do kill -9 "$(cat "$rig/$f.pid")"; done 2> /dev/null
}
rig_answers() { squeue > /dev/null 2>&1; }
rig_gone() {
  local f
  for f in slurmd slurmctld munged; do
    [ ! -s "$rig/$f.pid" ] || ! kill -0 "$(cat "$rig/$f.pid")" 2> /dev/null || return 1
  done
}
