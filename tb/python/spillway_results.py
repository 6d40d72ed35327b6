"""Reads what `spillway` leaves behind as tidy tables (pandas): a row an observation, a column a variable.

    import spillway_results as results

    run = results.read_run("out/first")
    run.numbers["latency.mean"]
    run.series.plot(x="cycle", y="in_flight")
    results.read_sweep("out/saturation").runs
    results.read_reproduction("out/reproduce/nifdy-pair").claims

Units are those of the pages: cycles, packets, flits. What was not measured is NaN.
"""

import json
from pathlib import Path

import pandas

__all__ = ["Run", "Sweep", "Reproduction", "read_run", "read_sweep", "read_reproduction"]


def _json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _csv(path):
    """The table; None where there is no such file."""
    return pandas.read_csv(path) if path.exists() else None


def _flat(value, name=""):
    """Numbers by dotted name, as results.csv has them; null is NaN."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _flat(child, f"{name}.{key}" if name else key)
    elif value is None:
        yield name, float("nan")
    elif isinstance(value, (bool, int, float)):
        yield name, value + 0


class Run:
    """A folder that `spillway run --out` has written.

    result        result.json as it is
    numbers       all of its numbers by dotted name: latency.mean, counters.NAME (a Series)
    series        a row an interval: cycle, created, delivered, in_flight, ...
    histogram     a row a bin: latency, packets, width
    deliveries, flows, links, switches
                  the files of that name; None where the run has none
    timing        what differs between equal runs: wall_seconds, ...
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.result = _json(self.folder / "result.json")
        if not isinstance(self.result, dict) or "status" not in self.result:
            raise ValueError(f"{self.folder / 'result.json'}: not a result of a run")
        self.numbers = pandas.Series(dict(_flat(self.result)), dtype=float)
        self.series = _csv(self.folder / "series.csv")
        self.histogram = _csv(self.folder / "histogram.csv")
        self.deliveries = _csv(self.folder / "deliveries.csv")
        self.flows = _csv(self.folder / "flows.csv")
        self.links = _csv(self.folder / "links.csv")
        self.switches = _csv(self.folder / "switches.csv")
        timing = self.folder / "timing.json"
        self.timing = _json(timing) if timing.exists() else {}

    def long_series(self):
        """A row an interval and number: cycle, number, value."""
        return self.series.melt(id_vars="cycle", var_name="number", value_name="value")


class Sweep:
    """The folder of a sweep, a curve or a comparison of runs.

    runs          a row a run that is done: settings, seed, id, status, all numbers
    summary       a row a configuration and number: mean, ci95 (half of the interval), min, max, runs
    settings      names of the columns that tell configurations apart
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        with open(self.folder / "plan.jsonl", encoding="utf-8") as lines:
            self.about, *self.plan = [json.loads(line) for line in lines]
        self.runs = pandas.read_csv(self.folder / "results.csv")
        self.summary = pandas.read_csv(self.folder / "summary.csv")
        self.settings = list(self.runs.columns[: self.runs.columns.get_loc("seed")])

    def run(self, run_id):
        """One run of it, by its id."""
        return Run(self.folder / "runs" / run_id)

    def series(self, *numbers):
        """Series of all runs below each other, with their settings, seed and id; of these numbers, or all."""
        keys = self.settings + ["seed", "id"]
        tables = []
        for _, row in self.runs[keys].drop_duplicates("id").iterrows():
            table = self.run(row["id"]).series
            table = table[["cycle", *numbers]] if numbers else table
            tables.append(table.assign(**row)[[*keys, *table.columns]])
        return pandas.concat(tables, ignore_index=True)


class Reproduction(Sweep):
    """The folder of one reproduction: a sweep, whose columns `group` and `case` name its runs, with claims.

    claims        a row a claim: claim, verdict, outcome, met, value
    comparisons   a row a comparison within a claim: both sides, their difference, intervals, verdict
    """

    def __init__(self, folder):
        super().__init__(folder)
        self.report = _json(self.folder / "verdicts.json")
        claims = self.report["claims"]
        flat = [{k: v for k, v in one.items() if not isinstance(v, (dict, list))} for one in claims]
        self.claims = pandas.DataFrame(flat)
        self.comparisons = pandas.DataFrame(
            [
                {
                    "claim": one["claim"],
                    "comparison": part["comparison"],
                    "verdict": part["verdict"],
                    **{
                        f"{side}.{key}": part[side][key]
                        for side in ("left", "right", "difference")
                        for key in ("mean", "ci95", "runs")
                        if isinstance(part.get(side), dict)
                    },
                }
                for one in claims
                for part in one.get("comparisons", [])
            ]
        )


def read_run(folder):
    """Run of a folder that `spillway run --out` has written. Raises OSError, ValueError."""
    return Run(folder)


def read_sweep(folder):
    """Sweep of a folder that `spillway sweep` or `spillway curve` has written. Raises OSError, ValueError."""
    return Sweep(folder)


def read_reproduction(folder):
    """Reproduction of a folder that `spillway reproduce` has written for one name. Raises OSError, ValueError."""
    return Reproduction(folder)
