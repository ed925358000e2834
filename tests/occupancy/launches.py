# SPDX-License-Identifier: MIT
"""Prints the launches of Kineto traces for rows.c, and `files N` at the end of stderr."""
import gzip
import json
import sys

LIMITS = ("computeMajor", "computeMinor", "numSms", "maxThreadsPerBlock",
          "maxThreadsPerMultiprocessor", "regsPerBlock", "regsPerMultiprocessor",
          "sharedMemPerBlock", "sharedMemPerMultiprocessor")
for path in sys.argv[1:]:
    trace = json.load(gzip.open(path))
    devices = {}
    for device in trace.get("deviceProperties", []):
        limits = [device.get(key, device.get(key.replace("Multiprocessor", "MultiProcessor")))
                  for key in LIMITS]
        if None not in limits and device.get("warpSize", 32) == 32:
            devices[device["id"]] = limits
    for event in trace["traceEvents"]:
        args = event.get("args", {})
        stored = args.get("est. achieved occupancy %")
        if stored is None or args.get("device") not in devices or "grid" not in args:
            continue
        grid, block = args["grid"], args["block"]
        print(*devices[args["device"]], grid[0] * grid[1] * grid[2],
              block[0] * block[1] * block[2], args["registers per thread"],
              args["shared memory"], stored)
