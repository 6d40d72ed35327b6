#!/usr/bin/env python3
"""Runs a storm and a small sweep, reads both as tables, and prints what a notebook would show.

    docs/examples/read_results/read_results.py SPILLWAY [FOLDER]

Needs pandas (Debian: python3-pandas). Exit status 77 without it.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[2] / "tb/python"), "/usr/share/spillway/python", "/usr/local/share/spillway/python"]
try:
    import spillway_results as results
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}; pandas is in Debian's package python3-pandas")
    sys.exit(77)

SWEEP = """name: read-results
experiment: storm-plain.yaml
set: {measure.limit: 20000}
grid: {traffic.1.rate: [0.1, 0.3]}
seeds: 2
"""


def main(spillway, folder):
    def run(*arguments, **more):
        subprocess.run([spillway, *arguments], check=True, **more)

    # --- one run: its numbers, and what happened over time
    run("run", "storm-plain", "--quiet", "--deliveries", "--out", str(folder / "storm"))
    storm = results.read_run(folder / "storm")
    print(storm.numbers[["delivered", "throughput", "latency.mean", "latency.p99"]].to_string(), "\n")
    # a row an interval and number, as drawing libraries want it
    long = storm.long_series()
    assert set(long.number) == set(storm.series.columns) - {"cycle"}
    assert long[long.number == "delivered"].value.sum() == storm.result["delivered"]
    series = storm.series
    series["phase"] = series.cycle.map(lambda c: "before" if c <= 1000 else "storm" if c <= 2000 else "after")
    print(series.groupby("phase", sort=False)[["delivered", "in_flight"]].mean().round(1).to_string(), "\n")

    # --- every packet: who waits longest?
    packets = storm.deliveries.assign(latency=lambda d: d.cycle - d.created)
    print(packets.groupby("destination").latency.mean().nlargest(3).round(1).to_string(), "\n")
    assert len(packets) == storm.result["delivered"]
    assert series.delivered.sum() == storm.result["delivered"]

    # --- a sweep: a row a run, and the means over the seeds
    experiments = here.parents[2] / "yaml/experiments"
    file = folder / "sweep.yaml"
    file.write_text(SWEEP.replace("storm-plain.yaml", str(experiments / "storm-plain.yaml")))
    run("sweep", str(file), "--quiet", "--out", str(folder / "sweep"))
    sweep = results.read_sweep(folder / "sweep")
    table = sweep.summary[sweep.summary.number == "latency.mean"]
    print(table[[*sweep.settings, "mean", "ci95", "runs"]].round(1).to_string(index=False), "\n")
    by_rate = sweep.runs.groupby(sweep.settings)["latency.mean"].mean()
    assert len(sweep.runs) == 4 and abs(by_rate.iloc[0] - table["mean"].iloc[0]) < 1e-9
    peak = sweep.series("in_flight").groupby([*sweep.settings, "seed"]).in_flight.max()
    print(peak.to_string(), "\n")

    # --- a reproduction: claims and their verdicts
    run("reproduce", "nifdy-pair", "--quick", "--quiet", "--out", str(folder))
    pair = results.read_reproduction(folder / "nifdy-pair")
    print(pair.claims.verdict.value_counts().to_string())
    assert len(pair.comparisons) >= len(pair.claims) > 0


if len(sys.argv) < 2:
    sys.exit(__doc__)
if len(sys.argv) > 2:
    main(sys.argv[1], Path(sys.argv[2]))
else:
    with tempfile.TemporaryDirectory() as scratch:
        main(sys.argv[1], Path(scratch))
