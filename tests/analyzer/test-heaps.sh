#!/bin/sh
# SPDX-License-Identifier: MIT
# NVTX's heaps and regions in the reports on memory and in key_averages.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
command -v python3 >/dev/null 2>&1 || skip_all "no python3"

# make NAME: a log from the text on standard input.
make()
{
	python3 "$top_srcdir/tests/tools/text-log.py" "$temp/$1.bin" 2>&1
}

# show NAME REPORT [COLUMNS]: those columns as CSV, without the header.
show()
{
	"$analyzer" stats --report "$2" --format csv "$temp/$1.bin" 2>/dev/null | tail -n +2 | cut -d, -f "${3:-1-}"
}

# --- on the host: two heaps, one of which is emptied, and a region that belongs to no heap ---

make host <<'END'
capture pid=1 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=11
event 1 0 100 call name="pool" id=4352 data=[4096,1,1,0,4096,4096]
event 1 1 101 call name="arena" id=4352 data=[8192,1,1,0,8192,4096]
event 1 2 200 push name="load"
event 1 3 210 call id=4355 data=[1,4096,[[4096,1000,1],[5096,500,2]]]
event 1 4 220 push name="grow"
event 1 5 230 call id=4356 data=[1,[[5096,700]]]
event 1 6 240 pop
event 1 7 250 call id=4357 data=[2,[1]]
event 1 8 260 pop
event 1 9 270 call id=4357 data=[1,[5096]]
event 1 10 280 call id=4355 data=[1,4096,[[4096,64,3]]]
event 1 11 290 call id=4357 data=[1,[7]]
event 1 12 300 push name="fill"
event 1 13 310 call id=4355 data=[1,8192,[[8192,128,4],[8320,128,5]]]
event 1 14 320 call id=4354 data=[8192]
event 1 15 330 call id=4355 data=[1,0,[[32768,32,6]]]
event 1 16 340 pop
end
END
# The columns: allocations, bytes, largest, frees, bytes, peak, when and in which ranges, then
# before, left and unmatched.
is "$(show host memory)" ',heap pool,4,2264,1000,3,2200,1700,230,load > grow,,0,1,64,0
,heap arena,2,256,128,2,256,256,310,fill,,0,0,0,0
,regions of no heap,1,32,32,0,0,32,330,fill,,0,1,32,0' \
	"each heap is a row: regions of one call, one resized, freed by handle, by address and by a reset"
is "$(show host memory-peak)" '0,,1700,,pool
0,,256,,arena
0,,32,,' "their peaks have the heap's name"
is "$(show host op-memory 1-4)" 'heap pool,load,1,500
heap pool,grow,1,200
heap arena,fill,1,0
heap pool,(outside any range),,-636
regions of no heap,fill,1,32' "ranges have what was allocated in them, by heap"
is "$(show host key_averages 1,13-16)" 'load,700,500,0,0
fill,32,32,0,0
grow,200,200,0,0
[memory],-636,-636,0,0' "key_averages counts them as memory of the CPU"
"$analyzer" "$temp/host.bin" -o "$temp/host.json" >/dev/null 2>&1
is "$(grep -o '"name":"Memory heap pool","args":{[^}]*}' "$temp/host.json" | tr -dc '0-9\n' | tr '\n' ' ')" \
	'1000 1500 1000 1700 700 0 64 ' "and the timeline draws them"

# --- in memory that CUDA allocated: 10,000 bytes, of which a heap hands out 300 ---

make device <<'END'
capture pid=1 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=11
def stream id=2 parent=1 name="GPU"
event 2 0 100 memory kind=1 bytes=10000 addr=4096 device=1 src=3
event 2 1 120 memory kind=1 bytes=50 addr=65536 device=1 src=3
event 2 2 900 memory kind=2 bytes=10000 addr=4096 device=1 src=3
event 1 0 150 call name="pool" id=4352 data=[4096,1,1,0,4096,10000]
event 1 1 200 push name="load"
event 1 2 210 call id=4355 data=[1,4096,[[4096,300,1]]]
event 1 3 220 pop
event 1 4 230 call id=4353 data=[4096]
event 1 5 240 call id=4355 data=[17,4096,[[99999,0,2]]]
end
END
is "$(show device memory 1-8)" '1,Device,2,10050,10000,1,10000,10050
1,heap pool,1,300,300,1,300,300
,heap pool,1,0,0,0,0,0' "regions in memory of a device are the device's, and pair by themselves"
is "$(show device key_averages 1,13-16 | sort)" '[memory],0,0,-250,-250
load,0,0,300,300' "key_averages counts the parts of what the program parts itself, and not the whole too"

# --- data that no call of NVTX can produce ---

make wild <<'END'
capture pid=1 clock="monotonic"
clock ticks=0 mono=0 real=0 boot=0 err=0
def stream id=1 tid=11
event 1 0 100 call id=4352 data=[]
event 1 1 101 call id=4352 data=[[1]]
event 1 2 102 call id=4355 data=[1]
event 1 3 103 call id=4355 data=[1,4096,7]
event 1 4 104 call id=4355 data=[1,4096,[[1,2],[3]]]
event 1 5 105 call id=4355 data=[1,18446744073709551615,[[18446744073709551615,18446744073709551615,1]]]
event 1 6 106 call id=4356 data=[1,[[18446744073709551615,1],5]]
event 1 7 107 call id=4357 data=[2,["a"]]
event 1 8 108 call id=4357 data=[9]
event 1 9 109 call id=4354 data=b"\x93"
event 1 10 110 call id=4353 data=[18446744073709551615]
end
END
is "$(show wild memory 2,3,6,13,14)" 'regions of no heap,2,2,0,0' "data of another shape are passed over"
done_testing
