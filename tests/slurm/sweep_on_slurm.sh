#!/usr/bin/env bash
# A sweep on Slurm gives the bytes of the local engine, also if a task and the submitter are killed half-way
# and if two submitters are at it. Usage: sweep_on_slurm.sh SPILLWAY. Exit status 77 if there is no Slurm.
set -euo pipefail

spillway=$1
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap '"$here/one_node_slurm.sh" stop "$work/slurm"; rm -rf -- "$work"' EXIT
"$here/one_node_slurm.sh" start "$work/slurm"
export SLURM_CONF=$work/slurm/slurm.conf
cd -- "$work"

fail() {
  echo "FAILED: $*"
  squeue || true
  tail -n 5 ./*.txt 2>/dev/null || true
  exit 1
}
finished() { find "$1/runs" -name result.json 2>/dev/null | wc -l; }
# wait_for N FOLDER: until N runs have a result.
wait_for() {
  local try
  for try in $(seq 600); do
    (($(finished "$2") >= $1)) && return 0
    sleep 0.1
  done
  fail "after $try tries $(finished "$2") runs of $2, not $1"
}
same() { cmp "$1/results.csv" local/results.csv && cmp "$1/summary.csv" local/summary.csv; }

cat >e.yaml <<'TEXT'
name: small
topology: {kind: butterfly, radix: 2, stages: 5}
switch: {kind: packet}
traffic:
  - {pattern: uniform, rate: 0.2}
measure: {warmup: 500, cycles: 8000}
TEXT
cat >s.yaml <<'TEXT'
name: loads
experiment: e.yaml
cases:
  - {name: fifo, set: {switch.buffering: fifo}}
  - {name: voq, set: {switch.buffering: voq}}
grid: {traffic.0.rate: [0.1, 0.2, 0.3, 0.4]}
seeds: 5
TEXT

echo "== 40 runs with the local engine"
"$spillway" sweep s.yaml --out local -j 2

echo "== what would be submitted: more tasks than one array holds"
"$spillway" sweep s.yaml --out dry --engine slurm --group 2 --time 10 --dry-run >dry.txt
[[ $(grep -c '^sbatch ' dry.txt) == 3 ]] || fail "expected 3 job arrays of at most 8 tasks"
grep -q -- "--time=10 --array=0-7 .*--first 16 --group 2" dry.txt || fail "second array: $(cat dry.txt)"
[[ -z $(squeue -h) ]] || fail "a dry run submitted a job"

echo "== killed: one task, then the submitter"
setsid "$spillway" sweep s.yaml --out out --engine slurm --group 2 >killed.txt 2>&1 &
submitter=$!
wait_for 3 out
task=
for _ in $(seq 100); do
  task=$(squeue -h --array --states=RUNNING --format=%i | head -n 1)
  [[ -z $task ]] || break
  sleep 0.1
done
[[ -n $task ]] || fail "no task is running"
kill -KILL "$submitter"
wait "$submitter" || true
scancel "$task"
(($(finished out) < 40)) || fail "too late: all runs were done"
[[ ! -e out/results.csv ]] || fail "a killed submitter joined results"
touch mark
# Results that are whole: an interrupted run leaves one that says so.
find out/runs -name result.json -exec sh -c 'grep -q interrupted "$1" || echo "$1"' sh {} \; >before.txt

echo "== resumed by two submitters at once"
"$spillway" sweep s.yaml --out out --engine slurm --group 2 >second.txt 2>&1 &
second=$!
"$spillway" sweep out --engine slurm --group 2 || fail "the resumed sweep has status $?"
wait "$second" || fail "the second submitter has status $?"
same out || fail "other bytes than the local engine"
while read -r file; do
  [[ ! $file -nt mark ]] || fail "$file was there and was run again"
done <before.txt
[[ -s before.txt ]] || fail "nothing was there to be kept"

echo "== detached, then joined"
"$spillway" sweep s.yaml --out detached --engine slurm --group 10 --detach
wait_for 40 detached
"$spillway" sweep detached --engine slurm
same detached || fail "other bytes than the local engine"
echo "== passed"
