#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints everything that another tool shows of traces, for a comparison: drawn-tools.py TOOL
TRACE...

TOOL: hta (HolisticTraceAnalysis, of all TRACEs as ranks 0, 1, ...), tracelens or tb (the
TensorBoard plugin), of the first. Each is imported from where PYTHONPATH has it. If a tool fails on
a trace, a line has the error. Exit status 77 if the tool is not there.
"""
import contextlib
import gzip
import json
import logging
import os
import sys
import warnings


def as_text(value):
    if hasattr(value, "to_csv"):
        return value.to_csv(index=False)
    if isinstance(value, dict):
        return "".join(f"{key}: {as_text(value[key])}" for key in sorted(value, key=str))
    if isinstance(value, (list, tuple)):
        return "".join(map(as_text, value))
    return f"{value}\n"


def show(out, what, call, *arguments, **options):
    out.write(f"== {what}\n")
    try:
        out.write(as_text(call(*arguments, **options)))
    except Exception as error:  # whatever the error is
        out.write(f"{type(error).__name__}: {error}\n")


def show_hta(out, traces):
    os.environ["HTA_DISABLE_NS_ROUNDING"] = "1"
    from hta.trace_analysis import TraceAnalysis
    analysis = TraceAnalysis(trace_files=dict(enumerate(map(os.path.abspath, traces))), trace_dir="/")
    ranks = list(range(len(traces)))
    show(out, "temporal", analysis.get_temporal_breakdown, visualize=False)
    show(out, "overlap", analysis.get_comm_comp_overlap, visualize=False)
    show(out, "idle", analysis.get_idle_time_breakdown, ranks=ranks, visualize=False)
    show(out, "kernels", analysis.get_gpu_kernel_breakdown, visualize=False, duration_ratio=1.0, num_kernels=1000)
    show(out, "launches", analysis.get_cuda_kernel_launch_stats, ranks=ranks, visualize=False)
    show(out, "queue", analysis.get_queue_length_summary, ranks=ranks)
    show(out, "bandwidth", analysis.get_memory_bw_summary, ranks=ranks)
    show(out, "annotations", analysis.get_gpu_user_annotation_breakdown, visualize=False, duration_ratio=1.0, num_kernels=1000)
    if len(traces) > 1:
        show(out, "stragglers", analysis.get_potential_stragglers, num_candidates=3)


def show_tracelens(out, traces):
    from TraceLens.TreePerf import TreePerfAnalyzer
    analyzer = TreePerfAnalyzer.from_file(traces[0])
    show(out, "timeline", analyzer.get_df_gpu_timeline)
    show(out, "kernels", analyzer.get_df_kernels)
    show(out, "launchers", analyzer.get_df_kernel_launchers)
    for call in (analyzer.get_df_kernel_launchers_summary, analyzer.get_df_kernel_launchers_summary_by_category,
                 analyzer.get_df_kernel_launchers_unique_args):
        show(out, call.__name__, lambda: call(analyzer.get_df_kernel_launchers()))


def show_tb(out, traces):
    from torch_tb_profiler.profiler.data import RunProfileData
    from torch_tb_profiler.profiler.run_generator import RunGenerator
    with (gzip.open if traces[0].endswith(".gz") else open)(traces[0], "rt", encoding="utf-8") as file:
        data = RunProfileData("worker", 1, json.load(file))
    data.process()
    data.analyze()
    data.trace_file_path = ""
    profile = vars(RunGenerator("worker", 1, data).generate_run_profile())
    for key in sorted(profile):
        if key not in ("profiler_start_ts", "tid2tree"):  # the first event, which may be one that was added; numbers of threads
            show(out, key, json.dumps, profile[key], sort_keys=True, indent=0,
                 default=lambda value: type(value).__name__)


def main():
    sys.path.pop(0)  # this folder has an hta.py of its own
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    out = sys.stdout
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what they print
            {"hta": show_hta, "tracelens": show_tracelens, "tb": show_tb}[sys.argv[1]](out, sys.argv[2:])
    except ImportError as missing:
        print(missing)
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
