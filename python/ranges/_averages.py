# SPDX-License-Identifier: MIT
"""torch.profiler's key_averages(): figures of a log by name, with torch's names for them."""
from . import _read

# torch's names: ours, and the unit in ns (torch's times are us).
_FIGURES = {
    "key": ("name", None),
    "count": ("calls", None),
    "device_type": ("device_type", None),
    "self_cpu_time_total": ("self_cpu_ns", 1000),
    "cpu_time_total": ("cpu_total_ns", 1000),
    "cpu_time": ("cpu_time_avg_ns", 1000),
    "self_device_time_total": ("self_cuda_ns", 1000),
    "device_time_total": ("cuda_total_ns", 1000),
    "device_time": ("cuda_time_avg_ns", 1000),
    "self_cuda_time_total": ("self_cuda_ns", 1000),
    "cuda_time_total": ("cuda_total_ns", 1000),
    "cuda_time": ("cuda_time_avg_ns", 1000),
}

_EMPTY = "no events: nobody records this program\n"


class Average(dict):
    """A row: a dict with the names of `analyzer stats`, times in ns; and torch's names as
    attributes, times in us."""

    def __getattr__(self, name):
        if name not in _FIGURES:
            raise AttributeError(
                "a row of key_averages has no %s, but %s; and as a dict %s"
                % (name, ", ".join(_FIGURES), ", ".join(self))
            )
        own, unit = _FIGURES[name]
        value = self.get(own)
        return value if unit is None or value is None else value / unit


def _add(rows):
    """The row of torch's total_average(): sums, and means per call."""
    total = Average(name="Total", device_type="CPU")
    for own in ("calls", "self_cpu_ns", "cpu_total_ns", "self_cuda_ns", "cuda_total_ns"):
        total[own] = sum(row.get(own) or 0 for row in rows)
    calls = total["calls"] or 1
    total["cpu_time_avg_ns"] = total["cpu_total_ns"] / calls
    total["cuda_time_avg_ns"] = total["cuda_total_ns"] / calls
    return total


class Averages:
    """torch.profiler's table of a log, made when it is asked for. Without a log it is empty."""

    def __init__(self, path, options):
        self._path = path
        self._options = options
        self._rows = None

    def _read(self):
        if self._rows is None and self._path is not None:
            rows = _read.read(self._path, "key_averages", frame=False, options=self._options)
            self._rows = [Average(row) for row in rows]
        return self._rows or []

    def table(self, sort_by=None, row_limit=100, **_widths):
        """As torch prints it. sort_by: with torch's names; row_limit=-1: all rows."""
        if self._path is None:
            return _EMPTY
        sort = ["--sort", sort_by] if sort_by else []
        limit = ["--limit", str(max(row_limit, 0))]
        return _read.print_report(self._path, "key_averages", "torch", self._options + sort + limit)

    def total_average(self):
        """One row of all."""
        return _add(self._read())

    def __str__(self):
        return self.table()

    def __iter__(self):
        return iter(self._read())

    def __len__(self):
        return len(self._read())

    def __getitem__(self, at):
        return self._read()[at]
