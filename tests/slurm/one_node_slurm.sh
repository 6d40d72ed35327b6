#!/usr/bin/env bash
# A Slurm of one node for a test, with an authentication daemon, ports and files of its own.
#   one_node_slurm.sh start FOLDER   writes FOLDER/slurm.conf, starts munged, slurmctld and slurmd
#   one_node_slurm.sh stop FOLDER    ends them
# Exit status 77 if Slurm is not installed.
set -euo pipefail

folder=$2
host=$(uname -n | cut -d. -f1)
PATH=$PATH:/usr/sbin

# The first of two neighbouring ports at which nobody listens.
free_ports() {
  local port
  for port in $(seq $((20000 + $$ % 10000)) 2 32000); do
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || (: <"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null || {
      echo "$port"
      return
    }
  done
}

# Nothing in it asks for cgroups, an init system, name resolution, or as many cores as the node claims.
configure() {
  mkdir -p "$folder/state" "$folder/spool"
  dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 status=none
  chmod 600 "$folder/munge.key"
  local port
  port=$(free_ports)
  cat >"$folder/slurm.conf" <<TEXT
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_min_interval=100000
MaxArraySize=8
KillWait=5
PropagateResourceLimits=NONE
MpiDefault=none
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
TEXT
  # Looking for the kind of control groups fails where none are mounted; of this kind nothing is touched.
  printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s\n' "$folder/cgroup" >"$folder/cgroup.conf"
}

start() {
  local tool
  for tool in sbatch squeue scancel scontrol sinfo slurmctld slurmd munged; do
    command -v "$tool" >/dev/null || {
      echo "skipped: no $tool; Debian has it in slurm-wlm and munge"
      exit 77
    }
  done
  configure
  export SLURM_CONF=$folder/slurm.conf
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
  local try=0
  if slurmctld && slurmd; then
    for try in $(seq 240); do
      sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed|alloc' && return 0
      sleep 0.25
    done
  fi
  echo "the node did not come up after $try looks:"
  tail -n 20 "$folder"/*.log
  return 1
}

stop() {
  local daemon pid
  for daemon in slurmd slurmctld munged; do
    [[ -s $folder/$daemon.pid ]] || continue
    pid=$(cat "$folder/$daemon.pid")
    kill "$pid" 2>/dev/null || continue
    # It writes its state before it goes.
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
  done
}

case $1 in
  start) start ;;
  stop) stop ;;
  *) exit 2 ;;
esac
