#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a small profile as rocprofv3 does in JSON. usage: rocprof.py [calls|kernels|queues|odd] >OUT"""

import json
import sys

KIND = sys.argv[1] if len(sys.argv) > 1 else "calls"
OPERATIONS = {"NONE": [], "HIP_RUNTIME_API": ["hipInit", "hipLaunchKernel"], "MARKER_CORE_RANGE_API": ["roctxMarkA", "roctxThreadRangeA"],
              "MEMORY_COPY": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_HOST", "MEMORY_COPY_HOST_TO_DEVICE"],
              "KERNEL_DISPATCH": ["KERNEL_DISPATCH_NONE", "KERNEL_DISPATCH_ENQUEUE", "KERNEL_DISPATCH_COMPLETE"],
              "RCCL_API": ["ncclAllGather", "ncclAllReduce"]}
KINDS = list(OPERATIONS)
AGENTS = [{"id": {"handle": 70}, "type": 1, "logical_node_type_id": 0, "name": "a CPU", "product_name": "a CPU"}]
AGENTS += [{"id": {"handle": 71 + i}, "type": 2, "logical_node_type_id": i, "cu_count": 64, "wave_front_size": 64,
            "gfx_target_version": 90402, "lds_size_in_kb": 64, "workgroup_max_size": 1024,
            "max_engine_clk_fcompute": 2100, "name": "gfx942", "product_name": "AMD \"made\" GPU",
            "mem_banks": [{"size_in_bytes": 1 << 34, "flags": {"HotPluggable": 0}}]} for i in range(2)]
SYMBOLS = [{"kernel_id": 0, "kernel_name": "", "formatted_kernel_name": 0},
           {"kernel_id": 5, "kernel_name": "_Z4gemmPf.kd", "formatted_kernel_name": "gemm(float*)", "arch_vgpr_count": 24},
           {"kernel_id": 6, "kernel_name": "fill.kd", "formatted_kernel_name": "", "arch_vgpr_count": 8}]
BASE = 63857982592000


def record(kind, operation, correlation, start, end, thread=41, **more):
    return {"size": 1, "kind": KINDS.index(kind), "operation": operation, "thread_id": thread,
            "correlation_id": {"internal": correlation, "external": 0}, "start_timestamp": BASE + start,
            "end_timestamp": BASE + end, **more}


def dispatch(correlation, start, end, kernel, queue, stream, agent=72):
    info = {"agent_id": {"handle": agent}, "queue_id": {"handle": queue}, "kernel_id": kernel, "group_segment_size": 512,
            "workgroup_size": {"x": 256, "y": 1, "z": 1}, "grid_size": {"x": 1000, "y": 3, "z": 1}}
    return record("KERNEL_DISPATCH", 2, correlation, start, end, dispatch_info=info, stream_id={"handle": stream})


records = {"kernel_dispatch": [dispatch(1, 100, 800, 5, 16, 3), dispatch(2, 1100, 1900, 5, 17, 4), dispatch(3, 2000, 2100, 6, 16, 3, 71)],
           "hip_api": [], "memory_copy": [], "marker_api": [], "rccl_api": [], "scratch_memory": []}
if KIND in ("calls", "odd"):
    records["hip_api"] = [record("HIP_RUNTIME_API", 1, i + 1, i * 1000 + 10, i * 1000 + 60) for i in range(3)]
    records["marker_api"] = [record("MARKER_CORE_RANGE_API", 1, 90, 0, 1500)]
    records["memory_copy"] = [record("MEMORY_COPY", 2, 0, 50, 90, src_agent_id={"handle": 70}, dst_agent_id={"handle": 72}, bytes=4096,
                                     stream_id={"handle": 3})]
    records["rccl_api"] = [record("RCCL_API", 1, 91, 2000, 2500)]
if KIND == "odd":
    records["scratch_memory"] = [record("NONE", 0, 0, 5, 6)] * 2
    records["kernel_dispatch"].append(dispatch(4, 5000, 4000, 99, 1, 1, 1234))
tool = {"metadata": {"node": {"hostname": "node-8"}, "pid": 40, "command": ["/usr/bin/train", "--fast"],
                     "config": {"group_by_queue": KIND == "queues"}},
        "agents": AGENTS, "strings": {"buffer_records": [{"kind": k, "operations": o} for k, o in OPERATIONS.items()],
                                      "marker_api": [{"key": 90, "value": "epoch 1"}]},
        "kernel_symbols": SYMBOLS, "buffer_records": records}
json.dump({"rocprofiler-sdk-tool": [tool]}, sys.stdout, indent=None if KIND == "kernels" else 1)
