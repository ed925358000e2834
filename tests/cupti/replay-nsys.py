#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes traces in JSON from an export of nsys, for replay-script.py. They have CUPTI's records of a
real program with NVTX.

usage: replay-nsys.py EXPORT.sqlite.gz FOLDER
Writes FOLDER/PID.json.gz for each process with work on a GPU, and prints their names and how many kernels, ns of kernels,
copies and bytes of copies each has. Waits, graphs as wholes and start/end ranges are left out.
"""
import collections
import gzip
import json
import os
import re
import sqlite3
import sys
import tempfile

COPIES = ("", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP")
MEMORIES = ("Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static")
KIND = "CUPTI_ACTIVITY_KIND_"


def rows(database, table):
    """Each row as a dict; none if there is no such table."""
    if not database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
        return
    cursor = database.execute(f"SELECT * FROM {table}")
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row))


def plain_name(name):
    """CUPTI's names of functions in libranges' form."""
    return re.sub(r"_pts[zd]$|_ptds$", "", re.sub(r"_v\d+$", "", name)).replace("__cuda", "cuda")


def event(category, name, pid, tid, start, end, args):
    return (f'{{"ph":"X","cat":{json.dumps(category)},"name":{json.dumps(name)},"pid":{pid},"tid":{tid},'
            f'"ts":{start // 1000}.{start % 1000:03},"dur":{(end - start) // 1000}.{(end - start) % 1000:03},"args":{json.dumps(args)}}}')


def gpu_args(row, **more):
    return dict(device=row["deviceId"], context=row["contextId"], stream=row["streamId"], correlation=row["correlationId"] or 0, **more)


def read(database):
    """Events and sums by process."""
    texts = dict(database.execute("SELECT id, value FROM StringIds"))
    events, sums = collections.defaultdict(list), collections.defaultdict(lambda: [0, 0, 0, 0])
    for row in rows(database, KIND + "KERNEL"):
        pid = row["globalPid"] >> 24 & 0xFFFFFF
        sums[pid][0] += 1
        sums[pid][1] += row["end"] - row["start"]
        events[pid].append((row["start"], row["end"], "kernel", texts[row["demangledName"]], row["deviceId"], row["streamId"], gpu_args(
            row, grid=[row["gridX"], row["gridY"], row["gridZ"]], block=[row["blockX"], row["blockY"], row["blockZ"]],
            **{"registers per thread": row["registersPerThread"],
               "shared memory": row["staticSharedMemory"] + row["dynamicSharedMemory"]})))
    for row in rows(database, KIND + "MEMCPY"):
        pid = row["globalPid"] >> 24 & 0xFFFFFF
        sums[pid][2] += 1
        sums[pid][3] += row["bytes"]
        events[pid].append((row["start"], row["end"], "gpu_memcpy", "Memcpy %s (%s -> %s)" % (
            COPIES[row["copyKind"]], MEMORIES[row["srcKind"]], MEMORIES[row["dstKind"]]),
            row["deviceId"], row["streamId"], gpu_args(row, bytes=row["bytes"])))
    for row in rows(database, KIND + "MEMSET"):
        events[row["globalPid"] >> 24 & 0xFFFFFF].append((
            row["start"], row["end"], "gpu_memset", f"Memset ({MEMORIES[row['memKind']]})", row["deviceId"], row["streamId"],
            gpu_args(row, bytes=row["bytes"])))
    for row in rows(database, KIND + "RUNTIME"):
        name = plain_name(texts[row["nameId"]])
        if row["eventClass"] != 67:  # a backtrace of another row
            events[row["globalTid"] >> 24 & 0xFFFFFF].append((
                row["start"], row["end"], "cuda_runtime" if name.startswith("cuda") else "cuda_driver", name, None,
                row["globalTid"] & 0xFFFFFF, {"correlation": row["correlationId"], "result": row["returnValue"]}))
    domains = {(row["globalTid"] >> 24, row["domainId"]): row["text"] for row in rows(database, "NVTX_EVENTS") if row["eventType"] == 75}
    for row in rows(database, "NVTX_EVENTS"):
        if row["eventType"] == 59 and row["end"] is not None:
            domain = domains.get((row["globalTid"] >> 24, row["domainId"])) if row["domainId"] else ""
            events[row["globalTid"] >> 24 & 0xFFFFFF].append((
                row["start"], row["end"], "user_annotation" if domain == "" else domain or f"#{row['domainId']}",
                row["text"] if row["text"] is not None else texts.get(row["textId"], ""), None, row["globalTid"] & 0xFFFFFF, {}))
    return events, sums


def main():
    with tempfile.NamedTemporaryFile() as plain, gzip.open(sys.argv[1]) as packed:
        plain.write(packed.read())
        plain.flush()
        events, sums = read(sqlite3.connect(f"file:{plain.name}?mode=ro", uri=True))
    for pid in sorted(sums):
        zero = min(one[0] for one in events[pid])
        path = os.path.join(sys.argv[2], f"{pid}.json.gz")
        with gzip.open(path, "wt", encoding="utf-8") as out:
            out.write('{"traceEvents":[\n' + ",\n".join(
                event(category, name, pid if device is None else device, thread, start - zero, end - zero, args)
                for start, end, category, name, device, thread, args in events[pid]) + "\n]}\n")
        print(path, *sums[pid])


main()
