/* SPDX-License-Identifier: MIT */
/* The rules of the report "advice": their names, thresholds and texts. */
#include <math.h>
#include <string.h>

#include "analyzer/advice/advice.h"

#define LEAST 0.02 /* fraction of the window; findings with a smaller share get no row */

#define PRECISION                                                                               \
	"matrix kernels in {detail}: 16 bit saves about half, {time} ({share}), if the GPU is " \
	"the limit"

#define RECORDING_REMEDY \
	"leave this time out: begin to record later, or look at the steps after it (--steps)"

#define HOST                                                                                    \
	"for {time} ({share}) the GPU does nothing because its next operation is launched too " \
	"late"

const char ra_advice_overlap[] = "Advice: do not add up shares: findings overlap, as short_kernels "
				 "and launch_bound are parts of host_bound";

const struct ra_advice_rule ra_advice_rules[RA_ADVICE_RULES] = {
	[RA_ADVICE_RECORDING] = {
		.id = "recording_artefact",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing while the profiler starts, "
		           "stops or writes",
		.evidence = "the program is in {place}",
		.remedy = RECORDING_REMEDY,
		.reports = "gaps, overhead",
	},
	[RA_ADVICE_RECORDING_BEFORE] = {
		.id = "recording_artefact",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) after the first launch no GPU work is recorded; "
		           "the GPU probably still ran work from before the recording",
		.evidence = "the first operation, of {place}, began only then; the file does not "
		            "say what the GPU did before",
		.remedy = RECORDING_REMEDY,
		.reports = "gaps",
	},
	[RA_ADVICE_LOADING] = {
		.id = "data_loading",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) nothing runs while the program reads its "
		           "input",
		.evidence = "it reads in {place}{detail}",
		.remedy = "read the next input in other threads while the GPU works",
		.torch = "load in worker processes (num_workers), pin the memory, and "
		         "prepare the next batch ahead",
		.reports = "overview, gaps",
	},
	[RA_ADVICE_COMMUNICATION] = {
		.id = "exposed_communication",
		.threshold = 0.05,
		.is_of_device = true,
		.finding = "for {time} ({share}) collectives run and nothing else does",
		.evidence = "{place}; {detail}",
		.remedy = "overlap them with computation, send less, or find the rank that "
		          "comes last",
		.reports = "comm, overlap",
	},
	[RA_ADVICE_COMMUNICATION_LATE] = {
		.id = "exposed_communication",
		.threshold = 0.05,
		.is_of_device = true,
		.finding = "for {time} ({share}) collectives run and nothing else does",
		.evidence = "{place}; {detail}",
		.remedy = "launch ahead first, as for host_bound: what is not launched cannot "
		          "overlap",
		.reports = "comm, overlap",
	},
	[RA_ADVICE_WAIT] = {
		.id = "gpu_wait",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing although its next "
		           "operation was launched long before",
		.evidence = "ahead of {place}",
		.remedy = "find what it waits for: another stream's event, another "
		          "rank, or work that the recording lacks",
		.reports = "gaps, gpu-sync",
	},
	[RA_ADVICE_WAIT_PART] = {
		.id = "gpu_wait",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing although its next "
		           "operation was launched long before",
		.evidence = "ahead of {place}; {detail} of it ahead of CUDA graph nodes, likely "
		            "kernels the recording lacks",
		.remedy = "record a step without graphs; find what the rest waits for: another "
		          "stream's event or another rank",
		.reports = "gaps, graphs",
	},
	[RA_ADVICE_WAIT_GRAPHS] = {
		.id = "gpu_wait",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU seems idle though the next work was "
		           "launched long before",
		.evidence = "{detail} of it ahead of CUDA graph nodes, likely kernels not "
		            "recorded: {place}",
		.remedy = "record a step without graphs; see what the rest waits for",
		.reports = "gaps, graphs",
	},
	[RA_ADVICE_FIRST_USE] = {
		.id = "first_use",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU waits for work that the program does "
		           "only once",
		.evidence = "{place}",
		.remedy = "warm up before you measure; begin to record later",
		.torch = "warm up before you measure; begin to record at a later step",
		.reports = "api, operators",
	},
	[RA_ADVICE_ALLOCATION] = {
		.id = "allocation_calls",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing while the program "
		           "allocates or frees memory, which it does in most steps",
		.evidence = "{place}",
		.remedy = "allocate once and use the memory again, or allocate from a pool "
		          "(cudaMallocAsync)",
		.torch = "leave out torch.cuda.empty_cache() in the loop; if there is none, the "
		         "GPU's memory is nearly full or fragmented: smaller batches, or "
		         "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
		.reports = "api, gaps, memory",
	},
	[RA_ADVICE_SYNC] = {
		.id = "sync_calls",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU has nothing to do: the program waited "
		           "for it and launched nothing ahead",
		.evidence = "{place}{detail}",
		.remedy = "launch the next work before you wait, or let streams wait for "
		          "each other (cudaStreamWaitEvent)",
		.torch = "avoid .item(), printing of tensors and explicit synchronization "
		         "within a step; make scalars on the GPU, and copy to it from "
		         "pinned memory with non_blocking=True",
		.reports = "gpu-sync, gaps",
	},
	[RA_ADVICE_BLOCKING] = {
		.id = "launch_blocking",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing because each launch waits "
		           "until its work is done (CUDA_LAUNCH_BLOCKING)",
		.evidence = "the program is in {place}",
		.remedy = "unset the variable: it only helps to find a launch that fails",
		.reports = "footer, gaps",
	},
	[RA_ADVICE_HOST] = {
		.id = "host_bound",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = HOST,
		.evidence = "the program is in {place}{detail}",
		.remedy = "launch fewer and larger operations, or CUDA graphs of many, and do "
		          "less between launches",
		.torch = "give each launch more work (larger batches), launch fewer "
		         "operations (torch.compile, CUDA graphs, foreach optimizers), and "
		         "less Python between them",
		.reports = "gaps, operators, launch",
	},
	[RA_ADVICE_HOST_LONG] = {
		.id = "host_bound",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = HOST,
		.evidence = "the program is in {place}{detail}",
		.remedy = "launch ahead: do that work of the CPU while the GPU runs, in another "
		          "thread or after the launch",
		.torch = "do that work of the CPU while the GPU runs: input in workers of the "
		         "DataLoader (num_workers), the rest in another thread or after the "
		         "launches",
		.reports = "gaps, operators, launch",
	},
	[RA_ADVICE_HOST_SLOW] = {
		.id = "host_bound",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = HOST,
		.evidence = "the program is in {place}{detail}",
		.remedy = "find what slows all operators (an observer such as the profiler's options, a "
		          "debug build, a slow or shared CPU), then launch fewer (torch.compile, "
		          "CUDA graphs, larger batches)",
		.reports = "gaps, operators, launch",
	},
	[RA_ADVICE_HOST_UNKNOWN] = {
		.id = "host_bound",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = HOST,
		.evidence = "the program is in {place}{detail}",
		.remedy = "record ranges around the program's parts, or samples of the CPU: this "
		          "recording does not tell what it does then",
		.torch = "record operators, ranges around the program's parts "
		         "(record_function(), torch.cuda.nvtx.range()), or with_stack=True: this "
		         "recording does not tell what it does then",
		.reports = "gaps, launch, threads",
	},
	[RA_ADVICE_LAUNCH] = {
		.id = "launch_bound",
		.threshold = 0.05,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing while the next launch is "
		           "under way, in the call or to the GPU",
		.evidence = "{place}",
		.remedy = "launch fewer and larger operations: CUDA graphs, fused kernels",
		.torch = "launch fewer operations: CUDA graphs, fusion (torch.compile), "
		         "larger batches",
		.reports = "launch",
	},
	[RA_ADVICE_SHORT] = {
		.id = "short_kernels",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing after kernels of less "
		           "than 10 us",
		.evidence = "{detail}; in {place}",
		.remedy = "use CUDA graphs, or fewer and larger kernels",
		.torch = "use CUDA graphs, fusion (torch.compile), foreach or fused optimizers",
		.reports = "kernels, launch",
	},
	[RA_ADVICE_IDLE] = {
		.id = "gpu_idle",
		.threshold = 0.1,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing; the cause is not known, "
		           "as the recording lacks the launching calls",
		.evidence = "ahead of {place}",
		.remedy = "also record API calls (cudaLaunchKernel and the like)",
		.reports = "gaps, devices",
	},
	[RA_ADVICE_PAGEABLE] = {
		.id = "pageable_memcpy",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU does nothing but copy pageable "
		           "memory, or waits for such copies",
		.evidence = "{place}{detail}",
		.remedy = "allocate that memory with cudaMallocHost (or cudaHostRegister it) "
		          "and copy with cudaMemcpyAsync while kernels run",
		.torch = "pin the memory (pin_memory=True) and copy with non_blocking=True",
		.reports = "memcpy, gaps",
	},
	[RA_ADVICE_SYNC_COPY] = {
		.id = "sync_memcpy",
		.threshold = LEAST,
		.is_of_device = true,
		.finding = "for {time} ({share}) the GPU only copies, or does nothing, because "
		           "the program waits for copies",
		.evidence = "{place}{detail}",
		.remedy = "pin the memory and copy with cudaMemcpyAsync (from or to pageable "
		          "memory it waits, too); launch the next work before you wait",
		.torch = "pin the memory and copy with non_blocking=True (cudaMemcpyAsync); "
		         "leave results on the GPU until they are needed",
		.reports = "memcpy, gaps",
	},
	[RA_ADVICE_DEVICE_COPIES] = {
		.id = "device_copies",
		.threshold = 0.08,
		.finding = "copies within the GPU take {time} ({share})",
		.evidence = "{place}",
		.remedy = "work in place",
		.torch = "work on views or in place; let buckets of gradients be views "
		         "(gradient_as_bucket_view)",
		.reports = "memcpy",
	},
	[RA_ADVICE_FEW_BLOCKS] = {
		.id = "few_blocks",
		.threshold = LEAST,
		.finding = "kernels with fewer blocks than the GPU has multiprocessors "
		           "leave {time} of it unused ({share})",
		.evidence = "{place}; {detail}",
		.remedy = "give a kernel more blocks: more work at once, split reductions, "
		          "or run such kernels side by side",
		.torch = "give a kernel more blocks: larger batches, split the reduction "
		         "(split-K), or run such kernels side by side",
		.reports = "gpu, kernels",
	},
	[RA_ADVICE_OCCUPANCY] = {
		.id = "low_occupancy",
		.threshold = 0.05,
		.finding = "kernels that need many warps have few; more warps save at most half "
		           "of their time, {time} ({share})",
		.evidence = "{place}; {detail}",
		.remedy = "use fewer registers (__launch_bounds__), less shared memory, or "
		          "another block size",
		.reports = "kernels",
	},
	[RA_ADVICE_STALLS] = {
		.id = "kernel_stalls",
		.threshold = LEAST,
		.finding = "{detail} as long as others of the same kernel and grid: {time} "
		           "({share}) "
		           "more than their medians",
		.evidence = "{place}",
		.remedy = "check whether another process interrupts the kernels (nvidia-smi), "
		          "clocks drop, or managed memory moves; else look at the data of these "
		          "calls",
		.reports = "spread, kernels",
	},
	[RA_ADVICE_PRECISION] = {
		.id = "precision",
		.threshold = LEAST,
		.finding = PRECISION,
		.evidence = "in {place}",
		.remedy = "use bfloat16 or float16",
		.torch = "use bfloat16 or float16 (torch.autocast)",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_PRECISION_TF32] = {
		.id = "precision",
		.threshold = LEAST,
		.finding = PRECISION,
		.evidence = "in {place}",
		.remedy = "use bfloat16 or float16; at least allow TF32",
		.torch = "use bfloat16 or float16 (torch.autocast); at least allow TF32 "
		         "(torch.set_float32_matmul_precision(\"high\"))",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_PRECISION_FP16] = {
		.id = "precision",
		.threshold = LEAST,
		.finding = PRECISION,
		.evidence = "in {place}",
		.remedy = "use float16: the GPU's tensor cores have neither bfloat16 nor "
		          "TF32",
		.torch = "use float16 (torch.autocast with dtype=torch.float16, and a "
		         "GradScaler for training): the GPU's tensor cores have neither "
		         "bfloat16 nor TF32",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_PRECISION_ANY] = {
		.id = "precision",
		.threshold = LEAST,
		.finding = PRECISION,
		.evidence = "in {place}",
		.remedy = "use what the GPU has of float16, bfloat16 and TF32",
		.torch = "use what the GPU has of float16, bfloat16 (torch.autocast) and "
		         "TF32",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_ALIGNMENT] = {
		.id = "gemm_alignment",
		.threshold = LEAST,
		.finding = "matrix kernels load fewer elements at a time than fit; alignment "
		           "saves at most half of their time, {time} ({share})",
		.evidence = "{detail}, in {place}",
		.remedy = "make sizes and strides of matrices multiples of 8 (16 bit) or 4 "
		          "(TF32)",
		.torch = "make sizes and strides of matrices multiples of 8 (16 bit) or 4 "
		         "(TF32): pad vocabulary, features, batch",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_BIG_KERNEL] = {
		.id = "big_kernel",
		.threshold = LEAST,
		.finding = "{detail} GPU time, {time} ({share})",
		.evidence = "{place}",
		.remedy = "check shape, data type and efficiency here first",
		.reports = "kernels",
	},
	[RA_ADVICE_ATTENTION] = {
		.id = "unfused_attention",
		.threshold = LEAST,
		.finding = "softmax and the products around it are separate kernels; fusing them "
		           "saves at most half of their time, {time} ({share})",
		.evidence = "{place}",
		.remedy = "use scaled_dot_product_attention or FlashAttention",
		.reports = "operators, kernels",
	},
	[RA_ADVICE_ELEMENTWISE] = {
		.id = "unfused_elementwise",
		.threshold = LEAST,
		.finding = "{detail} of the GPU's time is kernels that only pass over memory; "
		           "fusing two by two saves {time} ({share})",
		.evidence = "{place}",
		.remedy = "fuse them",
		.torch = "fuse them (torch.compile), or use fused operators",
		.reports = "kernels, operators",
	},
	[RA_ADVICE_LAYOUT] = {
		.id = "layout_conversion",
		.threshold = LEAST,
		.finding = "converting the layout of tensors for convolutions, and back, takes "
		           "{time} ({share})",
		.evidence = "{place}",
		.remedy = "keep tensors in NHWC",
		.torch = "keep model and input in channels_last (NHWC)",
		.reports = "kernels",
	},
	[RA_ADVICE_STEPS] = {
		.id = "step_variation",
		.threshold = 0.05,
		.finding = "steps differ; their time above the median step is {time} ({share})",
		.evidence = "{detail}",
		.remedy = "look at what else the longest step does",
		.torch = "look at the longest step: another batch size, validation, a "
		         "checkpoint, garbage collection",
		.reports = "overview",
	},
	[RA_ADVICE_STEPS_HOST] = {
		.id = "step_variation",
		.threshold = 0.05,
		.finding = "steps differ though the GPU does as much in each; their time above "
		           "the median step is {time} ({share})",
		.evidence = "{detail}",
		.remedy = "look at what the program does in the longest step: late launches, "
		          "reading of input, waits",
		.torch = "look at what the program does in the longest step: late launches, "
		         "reading of input, waits, garbage collection",
		.reports = "overview, gaps",
	},
	[RA_ADVICE_DATA_PARALLEL] = {
		.id = "data_parallel",
		.threshold = LEAST,
		.finding = "DataParallel copies the model to each of {detail} in every step, "
		           "from one process: {time} ({share})",
		.evidence = "",
		.remedy = "use DistributedDataParallel",
		.reports = "operators",
	},
	[RA_ADVICE_BACKEND] = {
		.id = "nccl",
		.threshold = LEAST,
		.finding = "ranks with GPUs do not communicate by NCCL: {time} ({share})",
		.evidence = "{detail}",
		.remedy = "use the fastest backend for GPUs: init_process_group(\"nccl\")",
		.reports = "comm",
	},
	[RA_ADVICE_MEMORY_FULL] = {
		.id = "memory",
		.threshold = NAN,
		.is_of_device = true,
		.finding = "the GPU's memory is nearly full",
		.evidence = "{detail}",
		.remedy = "free what is not needed any more, or work on smaller parts",
		.torch = "use gradient checkpoints, mixed precision or a smaller batch",
		.reports = "memory",
	},
	[RA_ADVICE_MEMORY_GROWS] = {
		.id = "memory",
		.threshold = NAN,
		.is_of_device = true,
		.finding = "allocated memory grows from step to step",
		.evidence = "{detail}",
		.remedy = "look for what is never freed",
		.torch = "look for tensors that the program keeps, such as losses with their "
		         "graph in a list",
		.reports = "memory, memory-curve",
	},
};

void ra_advice_put_words(struct ra_util_text *text, const char *words, bool is_hip)
{
	static const char *const pairs[][2] = {
		{ "cudaLaunchKernel", "hipLaunchKernel" },
		{ "cudaMallocHost", "hipHostMalloc" },
		{ "cudaHostRegister", "hipHostRegister" },
		{ "cudaMemcpyAsync", "hipMemcpyAsync" },
		{ "cudaStreamWaitEvent", "hipStreamWaitEvent" },
		{ "CUDA graphs", "HIP graphs" },
		{ "init_process_group(\"nccl\")", "init_process_group(\"nccl\"), which is RCCL" },
		{ "nvidia-smi", "rocm-smi" },
		{ "NCCL", "RCCL" },
		{ "multiprocessors", "compute units" },
	};

	while (*words != '\0') {
		const char *put = NULL;

		for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]) && is_hip; i++) {
			const size_t length = strlen(pairs[i][0]);

			if (strncmp(words, pairs[i][0], length) == 0) {
				put = pairs[i][1];
				words += length;
				break;
			}
		}
		if (put != NULL) {
			ra_util_text_put(text, put, strlen(put));
		} else {
			ra_util_text_put(text, words++, 1);
		}
	}
}
