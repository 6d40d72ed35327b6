#!/usr/bin/env bash
# What the transaction level costs and gains beside the pin level (signals kernel), as a table for
# docs/cosimulation.md. Usage: tlm_levels.sh TLM_LEVEL [CYCLES [TIMES]]: of TIMES runs, the least processor time
# counts, for both levels, and the runs of both take turns: other programs only add to it.
set -euo pipefail

level=$1
cycles=${2:-4000}
times=${3:-5}

echo "| hot share | offered | completed, pins | completed, transactions | latency, pins | latency, transactions | speed |"
echo "|---|---|---|---|---|---|---|"
for fraction in 0 0.05; do
  for rate in 0.005 0.01 0.02 0.04 0.06 0.08; do
    for ((run = 0; run < times; ++run)); do
      pins=$("$level" "$fraction" "$rate" "$cycles" kernel=signals 2>/dev/null)
      fast=$("$level" "$fraction" "$rate" "$cycles" level=transaction 2>/dev/null)
      echo "$pins $fast"
    done | awk -v fraction="$fraction" -v rate="$rate" '
      NR == 1 || $3 < pins { pins = $3 }
      NR == 1 || $6 < fast { fast = $6 }
      END { printf "| %s %% | %g | %s | %s | %s | %s (%+.0f %%) | %.0fx |\n",
        100 * fraction, 1000 * rate, $1, $4, $2, $5, 100 * ($5 / $2 - 1), pins / fast }'
  done
done
