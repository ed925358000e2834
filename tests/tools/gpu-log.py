#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random logs of GPU work, as text for text-log.py: gpu-log.py SEED SHIFT COUNT STEP [STREAMS]

Threads with nested ranges launch on streams of two devices. Operations overlap, also by 1 ns, take
0 ns, begin before the capture or before their launch, or have no call. SHIFT moves the GPU's clock
against the CPU's. With a STEP of 0 several things of a thread begin at one ns. With 1 of the
STREAMS all runs on one device.
"""
import random
import sys

seed, shift, count, step = map(int, sys.argv[1:5])
queues = (7, 8, 13, 0)[:int(sys.argv[5]) if len(sys.argv) > 5 else 4]
random.seed(seed)
print('capture pid=3 exe="/bin/random" clock="monotonic"\nclock ticks=5000 mono=5000 real=7 boot=0 err=0')
print('def stream id=9 parent=1 name="GPU"\ndef launch_shape id=1 detail=[8,1,1,64,1,1,0,0,0,16,0,0,0,0,0,0]')
print('def device id=0 name="one" detail=[8,0,10,32,64,32,1024,65536,65536,167936,49152,166912,1024,0,0,0]')
gpu, corr = [], 0
for thread in range(1, 4):
    print(f"def stream id={thread} tid={20 + thread}")
    at, depth, span = 5000, 0, 0
    for i in range(count // 3):
        at += random.choice((0, 0, 1, 3, 50)) + step
        what = random.randrange(6)
        if what == 0:
            print(f'event {thread} 0 {at} push name="range {random.randrange(9)}"')
            depth += 1
        elif what == 1 and depth:
            print(f"event {thread} 0 {at} pop")
            depth -= 1
        elif what == 2:
            print(f'event {thread} 0 {at} mark name="mark"')
            if thread == 3 and random.random() < 0.3:
                if span:
                    print(f"event {thread} 0 {at} end id={span}")
                    span = 0
                else:
                    span = at
                    print(f'event {thread} 0 {at} start name="range 1" id={span}')
        else:
            corr += 1
            dur = random.choice((0, 1, 2, 9, 70))
            gpu.append((at, f'api name="cudaLaunchKernel" dur={dur} tid={20 + thread} corr={corr} kind=1'))
            if random.random() < 0.3:
                gpu.append((at + dur // 2, f'api name="cuLaunchKernel" dur={dur // 3} tid={20 + thread} corr={corr} kind=2'))
            for k in range(random.choice((0, 1, 1, 1, 4))):
                device = random.randrange(2) if len(queues) > 1 else 0
                place = f"device={device} context={device + 1} queue={random.choice(queues)} corr={corr}"
                start = max(at + shift + random.choice((0, 1, 5, 60)), 1)
                dur = random.choice((0, 1, 1, 10, 40))
                name = random.choice(("_Z1fv", "g", "long name", 'q\\"'))
                gpu.append((start, random.choice((
                    f'kernel name="{name}" dur={dur} {place} shape=1', f'kernel name="{name}" dur={dur} {place} shape=1 graph=4 node=9',
                    f"copy dur={dur} {place} kind=1 bytes=100 src=2 dst=3", f"set dur={dur} {place} kind=3 bytes=100",
                    f"graph_launch dur={dur} {place} graph=4"))))
            at += dur if random.random() < 0.7 else 0
    for i in range(depth):
        print(f"event {thread} 0 {at + i} pop")
    if span:
        print(f"event {thread} 0 {at + depth} end id={span}")
for i in range(count // 20):
    at = 5000 + random.randrange(count)
    gpu.append((at, f"gpu_sync dur={random.randrange(90)} context={random.randrange(1, 4)} queue={random.choice((7, 8, 4294967295))} kind={random.randrange(1, 5)}"))
    gpu.append((at, f"overhead dur={random.randrange(90)} kind={random.randrange(1, 9) << 16} tid={random.choice((21, 99, 0))}"))
gpu.append((6000, 'kernel name="stray" dur=5 device=20 context=9 queue=7'))
random.shuffle(gpu)
for i, (at, text) in enumerate(gpu):
    if i % 1000 == 999:
        print("chunk")
    print(f"event 9 0 {at} {text}")
