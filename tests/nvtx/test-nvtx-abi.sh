#!/bin/sh
# SPDX-License-Identifier: MIT
# Every number, layout and signature in our declarations of NVTX equals NVIDIA's. This holds for the
# installed headers, and for those that the capture uses. Nothing is missing, either.
#
# NVTX_INCLUDES: further include folders, separated by ':', each with nvtx3/nvToolsExt.h or the
# nvToolsExt.h of version 2; see doc/testing.md.
. "${0%/*}/../lib.sh"
need_temp
cd "$temp" || exit 1

CC=${CC:-cc}
include=$top_srcdir/libranges/include
source=$top_srcdir/tests/nvtx
if [ -z "${CUDA_INCLUDE:-}" ] && [ -f "$top_builddir/Makefile" ]; then
	CUDA_INCLUDE=$(sed -n 's/^CUDA_INCLUDE = //p' "$top_builddir/Makefile")
fi
[ -n "${CUDA_INCLUDE:-}${NVTX_INCLUDES:-}" ] ||
	skip_all "no NVIDIA headers (configure --with-cuda-headers, or NVTX_INCLUDES)"

# ---- What we declare ----

(cd "$include" && echo ranges/*.h) | tr ' ' '\n' | sed 's/.*/#include <&>/' > ours.h
cat > internal.h << 'END'
#include "libranges/nvtx/nvtx-calls.h"
END

# list_macros FLAGS FILE REGEX: prints macros whose names match, as "V NAME", "A NAME" (another name
# of a function) and "D NAME" (with arguments).
list_macros()
{
	# shellcheck disable=SC2086
	$CC -E -dM $1 "$2" | sed -n \
		-e "s/^#define \($3[A-Za-z0-9_]*\)(.*/D \1/p" \
		-e "s/^#define \(nvtx[A-Za-z0-9_]*\) .*/A \1/p" \
		-e "s/^#define \($3[A-Za-z0-9_]*\) ..*/V \1/p" | sort
}

# shellcheck disable=SC2086
{
	list_macros "-I$include" ours.h '[Nn][Vv][Tt][Xx]' |
		grep -v -e '^V nvtx' -e NVTX_PAYLOAD_ENTRY_NVTX_PAYLOAD_NESTED # made by us
	$CC -E -P -I"$include" ours.h | awk -v names='^(nvtx|NVTX)' -f "$source/abi-facts.awk"
} > facts.txt
# shellcheck disable=SC2086
{
	list_macros "-I$top_srcdir" internal.h RCAP_NVTX_ | grep '^V'
	# The numbers of a module are one line of a macro.
	$CC -E -P -I"$top_srcdir" internal.h | sed 's/), RCAP_NVTX_/),\n&/g; s/\n), /\n/g' |
		awk -v names='^(rcap_nvtx|RCAP_NVTX)' -f "$source/abi-facts.awk"
} | grep -v '_H$' | awk -f "$source/abi-names.awk" > internal-facts.txt

[ "$(grep -c '^F' facts.txt)" -ge 105 ]
ok $? "the installed headers have 105 functions or more: $(grep -c '^F' facts.txt)"
is_empty "$(grep '?' internal-facts.txt)" \
	"tests/nvtx/abi-names.awk knows NVIDIA's name of all that the capture declares"

# ---- The program that prints them ----

cat > print.h << 'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>
/* What a value is, as far as C tells apart. */
#define KIND(x)                                                                              \
	_Generic((x), int8_t: "i8", uint8_t: "u8", int16_t: "i16", uint16_t: "u16",          \
		int32_t: "i32", uint32_t: "u32", int64_t: "i64", uint64_t: "u64",            \
		float: "float", double: "double", char *: "char *", const char *: "const char *", \
		const wchar_t *: "const wchar_t *", void *: "void *",                        \
		const void *: "const void *", default: "other")
/* Between our types and theirs pointers may point to different ones, and numbers have a sign or none
 * as is convenient. */
#define ROUGHLY(x)                                                                   \
	_Generic((x), float: "float", double: "double", uint8_t: "number",           \
		int8_t: "number", uint16_t: "number", uint32_t: "number",            \
		int32_t: "number", int64_t: "number", uint64_t: "number", default: "other")
#define TEXT(x)  #x
#define SHOW(x)  TEXT(x)
#define IN(t, m) (((t *) 0)->m)
END

# print_facts SIDE FACTS INCLUDES FLAGS: compiles and runs it.
print_facts()
{
	{
		cat "$3" print.h
		awk -v side="$1" -f "$source/abi-print.awk" "$2"
	} > "print-$1.c"
	# shellcheck disable=SC2086
	$CC -w -std=gnu11 $4 "print-$1.c" -ldl -o "print-$1" 2> errors.txt &&
		"./print-$1" > "values-$1.txt" 2>> errors.txt
}

print_facts ours facts.txt ours.h "-I$include"
ok $? "our installed headers compile in a program that prints $(wc -l < facts.txt) facts"
cp values-ours.txt ours.txt
is_empty "$(grep 'another type' ours.txt)" "functions are read as what they are"
grep -v -e '|-' -e ' -$' -e '?' internal-facts.txt > internal-both.txt
print_facts ours internal-both.txt internal.h "-I$top_srcdir"
ok $? "so do the capture's, with $(wc -l < internal-both.txt) facts"
cp values-ours.txt internal-ours.txt

# ---- Theirs ----

# If CUDA's or OpenCL's own headers are not in the folder, these are enough for NVTX's.
mkdir -p stub/CL
cat > stub/CL/cl.h << 'END'
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_sampler *cl_sampler;
typedef struct _cl_program *cl_program;
typedef struct _cl_event *cl_event;
END
cat > stub/cuda.h << 'END'
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
END
cat > stub/driver_types.h << 'END'
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
END
echo '#include "driver_types.h"' > stub/cuda_runtime.h
headers='nvToolsExt nvToolsExtCuda nvToolsExtCudaRt nvToolsExtOpenCL nvToolsExtSync
nvToolsExtPayload nvToolsExtPayloadHelper nvToolsExtSemanticsScope nvToolsExtSemanticsTime nvToolsExtSemanticsCounters
nvToolsExtCounters nvToolsExtMem nvToolsExtMemCudaRt'

# keep_known FACTS WORDS: prints the facts whose names are all among the words.
keep_known()
{
	awk -v words="$2" 'BEGIN { while ((getline word < words) > 0) { known[word] = 1 } }
		{
			line = $0
			if ($1 == "V" && NF == 3) { line = $3 }
			if (line ~ /[|]/) { sub(/^[^|]*/, "", line) }
			if ($1 == "F") { line = $2 }
			sub(/^[VASMFD] /, "", line)
			count = split(line, names, /[^A-Za-z0-9_]+/)
			for (i = 1; i <= count; i++) {
				if (names[i] != "" && names[i] != "struct" && !(names[i] in known)) { next }
			}
			print
		}' "$1"
}

# Only in theirs: helpers of the header itself, and names of the core for tools.
not_declared='^(NVTX_(API|DECLSPEC|DLL.*|DYNAMIC_EXPORT|INLINE_STATIC|LINKONCE.*|NULLPTR|STATIC_CAST)
NVTX_(REINTERPRET_CAST|SET_NAME_MANGLING.*|EXPORT_UNMANGLED.*|VERSIONED_IDENTIFIER.*|SUPPORT_.*)
NVTX_(ERR|INFO|STR|PATHCHAR|GETENV|BUFSIZE|MEMBAR|YIELD|ATOMIC_.*|INIT_.*|ETID_.*|CBID_.*|CB_MODULE_.*)
NVTX_EXT_.*(VERSIONED.*|HELPER.*|IMPL.*|SLOT_COUNT|FN_.*|CONCAT|NUM_ARGS|SELECTA16|_H)
NVTX_(PAYLOAD_ENTRY_THROWAWAY|PAYLOAD_SCHEMA_ATTR|EXTENSION_.*|HAVE_.*|LOAD_SEQUENCE_VERSION|.*_(V1|V2|V3|H)))$'

# compares NAME HEADERS FLAGS DIFFERENT: compares with those headers, except facts whose names match
# the regular expression DIFFERENT.
compares()
{
	# shellcheck disable=SC2086
	$CC -w -E -dD $3 "$2" 2> errors.txt | grep -o '[A-Za-z_][A-Za-z0-9_]*' | sort -u > words.txt
	for list in facts internal-both; do
		keep_known $list.txt words.txt > known-$list.txt
	done
	cat known-facts.txt known-internal-both.txt > known.txt
	print_facts theirs known-facts.txt "$2" "$3"
	ok $? "$1: all that we declare compiles with its headers"
	cp values-theirs.txt theirs.txt
	print_facts theirs known-internal-both.txt "$2" "$3"
	ok $? "$1: so does all that the capture declares"
	cat ours.txt internal-ours.txt | sort -u > both-ours.txt
	cat theirs.txt values-theirs.txt | sort -u > both-theirs.txt
	comm -13 both-ours.txt both-theirs.txt | grep -v -E "^. ($4) " > different.txt
	is_empty "$(cat different.txt)" "$1: numbers, layouts and signatures are equal"
	diag "$1: $(wc -l < both-theirs.txt) facts compared," \
		"$(($(wc -l < both-ours.txt) - $(wc -l < both-theirs.txt))) are not in these headers"
}

# is_complete NAME HEADERS FLAGS FOLDER: these headers have the extensions of CUDA 13.0, so nothing
# of ours may be missing. With exactly this version nothing of theirs may be missing, either.
is_complete()
{
	comm -23 both-ours.txt both-theirs.txt |
		awk '{ print $1, $2 ($2 == "struct" ? " " $3 : "") }' | sort -u > mine.txt
	awk '{ print $1, $2 ($2 == "struct" ? " " $3 : "") }' both-theirs.txt | sort -u |
		comm -23 mine.txt - > alone.txt
	is_empty "$(cat alone.txt)" "$1: it has all that we declare"
	{
		list_macros "$3" "$2" '[Nn][Vv][Tt][Xx]' | sed 's/^. //'
		# shellcheck disable=SC2086
		$CC -w -E -P $3 "$2" | tr '\n' ' ' |
			grep -o -E '\b(nvtx[A-Z][A-Za-z0-9]+ ?\(|NVTX_[A-Za-z0-9_]+ =)' | tr -d ' (='
	} | sort -u > their-names.txt
	cut -d ' ' -f 2 facts.txt | sort -u > our-names.txt
	pattern=$(echo "$not_declared" | tr '\n' '|' | sed 's/|$//; s/|NVTX/|NVTX/g')
	comm -23 their-names.txt our-names.txt | grep -v -E "$pattern" > missing.txt
	if grep -q 'define CUDA_VERSION 1300' "$4/cuda.h" 2> /dev/null; then
		is_empty "$(cat missing.txt)" "$1: we have all that it declares"
	else
		diag "$1: $(wc -l < missing.txt) names are not in ours"
	fi
}

# compares_folder NAME FOLDER SUBFOLDER DIFFERENT
compares_folder()
{
	for header in $headers; do
		[ ! -f "$2/$3$header.h" ] || echo "#include <$3$header.h>"
	done > theirs.h
	flags="-DCL_TARGET_OPENCL_VERSION=300 -isystem $2 ${CUDA_INCLUDE:+-idirafter $CUDA_INCLUDE} -idirafter stub"
	compares "$1" theirs.h "$flags" "$4"
	if grep -q nvtxCounterBatchSubmit "$2/$3nvToolsExtCounters.h" 2> /dev/null; then
		is_complete "$1" theirs.h "$flags" "$2"
	fi
}

# In NVIDIA's headers the flags of batches overflow to 0. Version 2 has its own nvtxInitialize,
# which its library does not export.
overflow='NVTX_COUNTER_BATCH_FLAG_.*|RCAP_NVTX_COUNTER_BATCH_.*'
version_2='NVTX_VERSION|nvtxInitialize'
count=0
for folder in $(echo "${CUDA_INCLUDE:-}:${NVTX_INCLUDES:-}" | tr ':' ' '); do
	count=$((count + 1))
	if [ -f "$folder/nvtx3/nvToolsExt.h" ]; then
		compares_folder "folder $count" "$folder" nvtx3/ "$overflow"
	fi
	if [ -f "$folder/nvToolsExt.h" ]; then
		compares_folder "folder $count, version 2" "$folder" '' "$version_2"
	fi
	[ -f "$folder/nvtx3/nvToolsExt.h" ] || [ -f "$folder/nvToolsExt.h" ] ||
		skip "folder $count" "there is no nvToolsExt.h"
done
done_testing
