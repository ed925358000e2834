#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all views of HTA (`hta`) or of the TensorBoard plugin (`tb`) on a trace, for
bench-kineto.py.

kineto-tools.py hta|tb TRACE.json: PYTHONPATH has the tool's module. Exit: 3 if it is missing.
"""
import contextlib
import io
import logging
import os
import sys
import tempfile
import warnings


def run_hta(path):
    from hta.trace_analysis import TraceAnalysis
    analysis = TraceAnalysis(trace_files=[os.path.abspath(path)])
    ranks = sorted(analysis.t.traces)
    analysis.get_temporal_breakdown(visualize=False)
    analysis.get_gpu_kernel_breakdown(visualize=False, include_memory_kernels=True)
    analysis.get_comm_comp_overlap(visualize=False)
    analysis.get_idle_time_breakdown(ranks=ranks, visualize=False, show_idle_interval_stats=True)
    analysis.get_queue_length_summary(ranks=ranks)
    analysis.get_memory_bw_summary(ranks=ranks)
    analysis.get_cuda_kernel_launch_stats(ranks=ranks, visualize=False)
    analysis.get_gpu_user_annotation_breakdown(use_gpu_annotation=True, visualize=False)


def run_tb(path):
    from torch_tb_profiler.profiler.data import RunProfileData
    from torch_tb_profiler.profiler.run_generator import RunGenerator
    with tempfile.TemporaryDirectory() as cache:
        data = RunProfileData.parse('worker0', None, path, cache)
        RunGenerator('worker0', None, data).generate_run_profile()


def main():
    warnings.filterwarnings('ignore')
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            {'hta': run_hta, 'tb': run_tb}[sys.argv[1]](sys.argv[2])
        except ModuleNotFoundError as missing:
            print(missing, file=sys.stderr)
            sys.exit(3)


if __name__ == '__main__':
    main()
