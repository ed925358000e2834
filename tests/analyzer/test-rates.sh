#!/bin/sh
# SPDX-License-Identifier: MIT
# The rates of operators and kernels, and their share of the device's peak. They are compared with
# figures worked out by hand, and for public traces with those of TraceLens' models.
# shellcheck disable=SC2016 # texts for awk

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
analyzer=$top_builddir/analyzer/analyzer
trace=$temp/trace.json
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

# event CAT NAME START DUR [ARGS]: an X event of thread 1.
event()
{
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s,"args":{%s}}\n' \
		"$1" "$2" "$3" "$4" "${5:-}"
}

# gpu CAT NAME START DUR CORRELATION: an X event of stream 7 of device 0, and its launch at CORRELATION.
gpu()
{
	event cuda_runtime cudaLaunchKernel "$5" 0.5 "\"correlation\":$5"
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"device":0,"stream":7,"context":1,"correlation":%s}}\n' \
		"$1" "$2" "$3" "$4" "$5"
}

# write NAME: writes standard input as a trace of a device of that name with 10 multiprocessors.
write()
{
	{
		printf '{"deviceProperties":[{"id":0,"name":"%s","computeMajor":8,"computeMinor":0,"numSms":10}],' "$1"
		echo '"traceEvents":[{"ph":"M","name":"x","pid":1,"tid":1}'
		cat
		echo ']}'
	} >"$trace"
}

# columns REPORT FILE NAMES: prints the columns of these keys, a row per line; "-" means no value.
columns()
{
	"$analyzer" stats --report "$1" --format tsv "$2" 2>/dev/null | awk -F '\t' -v names="$3" '
		NR == 1 {
			count = split(names, name, " ")
			for (i = 1; i <= NF; i++)
				at[$i] = i
			next
		}
		{
			for (i = 1; i <= count; i++)
				printf "%s%s", (i > 1 ? "," : ""), (name[i] in at && $at[name[i]] != "" ? $at[name[i]] : "-")
			print ""
		}'
}
rates="name flops flops_per_s peak_flops_share bytes_per_s peak_bytes_share flops_per_byte"

# 2 x 100 x 100 x 100 in 10 us; BF16 on an A100 with 10 multiprocessors: 2048 x 10 x 1.41 GHz.
{
	event cpu_op aten::mm 10 20 '"Input Dims":[[100,100],[100,100]],"Input type":["c10::BFloat16","c10::BFloat16"]'
	gpu kernel gemm_bf16 100 6 12
	gpu kernel reduce 106 4 14
	event cpu_op aten::mm 40 5 '"Input Dims":[[100,100],[100,100]],"Input type":["c10::BFloat16","c10::BFloat16"]'
	event cpu_op aten::sort 50 10 '"Input Dims":[[100]],"Input type":["float"]'
	gpu kernel sort 200 7 52
} >"$temp/events"
write "NVIDIA A100-SXM4-40GB" <"$temp/events"
is "$(columns operators "$trace" "$rates")" "aten::mm,2000000,200000000000,0.0069259751773049641,6000000000,0.0038585209003215433,33.333333333333336
aten::sort,-,-,-,-,-,-" "a call's work over the GPU time it took; calls on no GPU have none, nor what has no model"
is "$(columns kernels "$trace" "name flops flops_per_s peak_flops_share")" "sort,-,-,-
gemm_bf16,2000000,333333333333.33331,0.011543291962174941
reduce,-,-,-" "in kernels the product has the work, not what runs beside it"
is "$("$analyzer" stats --report operators "$trace" | grep -c '2.00 MFLOP  200 GFLOP/s')" 1 "for people with units"
is "$(columns kernels "$trace" "name rated_share") $("$analyzer" stats --report kernels "$trace" | grep -c Rated)" "sort,-
gemm_bf16,1.000000
reduce,- 0" "rates of all calls need no word"
{
	cat "$temp/events"
	gpu kernel gemm_bf16 300 18 70
} >"$temp/more"
write "NVIDIA A100-SXM4-40GB" <"$temp/more"
is "$(columns kernels "$trace" "name total_ns flops_per_s rated_share" | sed -n 1p)" "gemm_bf16,24000,333333333333.33331,0.250000" \
	"rates of a part of a row's calls say of how much"
is "$("$analyzer" stats --report kernels --width 0 "$trace" | sed -n 's/.* //; 1p; 3p')" "Rated
25.00%" "also for people"
write "Unknown" <"$temp/events"
is "$(columns operators "$trace" "flops peak_flops_share peak_bytes_share" | sed 1q)" "2000000,-,-" \
	"no share of a device whose peak is not known"
is "$("$analyzer" stats --report operators "$trace" | grep -c 'shares of peak are left out')" 1 "which a line says"

{
	event cpu_op aten::mm 10 20 '"Input Dims":[[100,100],[100,100]],"Input type":["float","float"]'
	gpu kernel 'cutlass_80_tensorop_s1688gemm_128x128_tn_align4' 100 10 12
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns operators "$trace" peak_flops_share)" 0.013851950354609928 "FP32 by tensor cores is TF32"
{
	event cpu_op aten::mm 10 20 '"Input Dims":[[100,100],[100,100]],"Input type":["float","float"]'
	gpu kernel ampere_sgemm_128x64_tn 100 10 12
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns operators "$trace" peak_flops_share)" 0.11081560283687943 "else FP32"
{
	event cpu_op aten::mm 10 20 '"Input Dims":[[1000,1000],[1000,1000]],"Input type":["float","float"]'
	gpu kernel ampere_sgemm_128x64_tn 100 10 12
	event cpu_op aten::copy_ 40 10 '"Input Dims":[[100],[100]],"Input type":["float","float"]'
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 120 5 42
	event cpu_op aten::copy_ 60 10 '"Input Dims":[[100],[100]],"Input type":["float","float"]'
	gpu kernel copy 130 10 62
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns operators "$trace" "name flops peak_flops_share bytes_per_s")" "aten::copy_,-,-,80000000
aten::mm,2000000000,-,1200000000000" "no share is above 1, and copies from the host are none of the device's memory"
{
	event cpu_op aten::mm 10 30 '"Input Dims":[[100,100],[100,100]],"Input type":["float","float"]'
	event cpu_op aten::mm 11 20 '"Input Dims":[[100,100],[100,100]],"Input type":["float","float"]'
	gpu kernel ampere_sgemm_128x64_tn 100 10 12
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns operators "$trace" "calls flops flops_per_s")" "2,2000000,200000000000" "a call inside one of its row is not counted again"
{
	event cpu_op aten::mm 10 30 '"Input Dims":[[100,100],[100,100]],"Input type":["float","float"]'
} | write "NVIDIA A100-SXM4-40GB"
is "$("$analyzer" stats --report operators --format csv "$trace" 2>/dev/null | sed 1q | grep -c flops)" 0 \
	"where nothing ran on a GPU tables have no such columns"

# ---- Kernels by what they do and by who launched them ----

{
	event cpu_op aten::linear 5 30
	event cpu_op aten::mm 10 20 '"Input type":["","c10::BFloat16"]'
	gpu kernel ampere_bf16_s16816gemm_bf16_128x64_tn 100 6 12
	event cpu_op aten::mm 40 20 '"Input type":["float"]'
	gpu kernel ampere_sgemm_128x64_tn 110 3 42
	gpu kernel mine 114 1 70
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 120 5 80
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns categories "$trace" "category total_share total_ns calls rule")" "GEMM,0.600000,9000,2,gemm
memcpy,0.333333,5000,1,-
other,0.066667,1000,1,-" "GPU time by category, and the words that told"
"$analyzer" stats --report categories --group-by dtype --format tsv "$trace" 2>/dev/null >"$temp/types"
is "$(cut -f 1,3 "$temp/types" | tr '\t' =)" "data_type=total_ns
BF16=6000
unknown=6000
FP32=3000" "by data type"
is "$("$analyzer" stats --report operators --group-by name,dtype --format tsv "$trace" 2>/dev/null | cut -f 1-4 | tr '\t' ,)" \
	"name,data_type,calls,self_device_ns
aten::mm,BF16,1,6000
(outside any operator),,,6000
aten::mm,FP32,1,3000
aten::linear,unknown,1,0" "operators by data type"
is "$(columns op-kernels "$trace" "operator name category data_type total_ns calls")" \
	"aten::mm,ampere_bf16_s16816gemm_bf16_128x64_tn,GEMM,BF16,6000,1
aten::mm,ampere_sgemm_128x64_tn,GEMM,FP32,3000,1
(outside any operator),mine,other,unknown,1000,1" "kernels by operator"

# ---- Collectives ----

# collective NAME IN OUT DUR CORRELATION: a kernel of NCCL with floats, of four ranks.
collective()
{
	event cuda_runtime cudaLaunchKernel "$5" 0.5 "\"correlation\":$5"
	printf ',{"ph":"X","cat":"kernel","name":"ncclDevKernel_X","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"device":0,"stream":7,"correlation":%s,"Collective name":"%s","In msg nelems":%s,"Out msg nelems":%s,"Group size":4,"dtype":"Float","Process Group Name":"0"}}\n' \
		"$5" "$4" "$5" "$1" "$2" "$3"
}
{
	collective allreduce 1000 1000 4 100
	collective allreduce 1000 1000 6 110
	collective allreduce 10 10 4 120
	collective _allgather_base 1000 4000 4 130
	collective broadcast 1000 1000 4 140
	collective all_to_allv 1000 1000 4 150
} | write "NVIDIA A100-SXM4-40GB"
is "$(columns comm-bandwidth "$trace" "name group group_size size_bytes calls algorithm_bytes_per_s bus_bytes_per_s")" \
	"_allgather_base,0,4,16000,1,4000000000,3000000000
all_to_allv,0,4,4000,1,1000000000,750000000
allreduce,0,4,40,1,10000000,15000000
allreduce,0,4,4000,2,800000000,1200000000
broadcast,0,4,4000,1,1000000000,1000000000" "algorithm and bus bandwidth by size and group"

# ---- What programs say themselves ----

# shellcheck disable=SC2086 # the flags are meant to be split
if build_fake 130000 2>"$temp/errors" && ${CC:-cc} $cupti_flags -I"$top_srcdir/libranges/include" -o "$temp/work" \
	"$cupti_source/work.c" "$temp/libcuda.so.1" -Wl,-rpath,"$temp" -lpthread -ldl 2>>"$temp/errors"; then
	mkdir "$temp/spool"
	RANGES_SPOOL_DIR=$temp/spool RANGES_CUPTI_PATH=$temp/cupti-130000/libcupti.so.13 \
		ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
		"$top_builddir/libranges/ranges" run -f -o "$temp/log.bin" "$temp/work" >"$temp/out" 2>&1
	is "$(columns operators "$temp/log.bin" "name calls flops flops_per_byte" | grep -v outside | sort)" \
		"aten::mm,2,60000,-
solve,1,4000000,4" "payload fields flops and bytes, and sizes in names of emit_nvtx"
else
	skip "payload fields flops and bytes, and sizes in names of emit_nvtx" "the stand-ins can't be built"
fi

# ---- Public traces ----

if [ -f "$traces/h100_bert_small.json.gz" ]; then
	# TraceLens: 2 x 141 x 512 x 512 and 141 x 512 for the bias, of 17 calls.
	is "$("$analyzer" stats --report operators --group-by shape --format tsv "$traces/h100_bert_small.json.gz" 2>/dev/null |
		awk -F '\t' '$1 == "aten::addmm" && /141, 512\], \[512, 512\]/ { print $10; exit }')" 1257945600 \
		"FLOPs of a product in bert-small"
	is "$("$analyzer" stats --report operators --group-by shape --width 0 "$traces/h100_bert_small.json.gz" 2>/dev/null |
		grep 'aten::addmm .*141, 512\], \[512, 512\]' | grep -c ' 12.7 TFLOP/s ')" 1 "which is 12.7 TFLOP/s"
	for file in "$traces"/*.json.gz; do
		for report in operators kernels; do
			columns $report "$file" "peak_flops_share peak_bytes_share"
		done
	done >"$temp/shares"
	is "$(awk -F , '{ for (i = 1; i <= NF; i++) if ($i != "-" && !($i >= 0 && $i <= 1)) bad++; else if ($i != "-") good++ }
		END { print bad + 0, (good > 500) }' "$temp/shares")" "0 1" "no share of peak is above 1, in any public trace"
else
	skip "FLOPs of a product in bert-small" "there are no public traces here"
fi
done_testing
