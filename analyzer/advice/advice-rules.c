/* SPDX-License-Identifier: MIT */
/* The rules of the report "advice": their names, thresholds and words. */
#include <math.h>
#include <string.h>

#include "analyzer/advice/advice.h"

#define LEAST 0.02 /* of the window: less is not worth a row */

#define PRECISION                                                                                  \
	"matrix kernels compute in {detail}, in {place}; half of their time is {time} ({share}), " \
	"and 16 bit saves about that, if not more"

const struct ra_advice_rule ra_advice_rules[RA_ADVICE_RULES] = {
	[RA_ADVICE_RECORDING] = { "recording_artefact", LEAST,
	                          "for {time} ({share}) the recording shows what is not the "
	                          "program's: {detail}",
	                          "leave this time out: begin to record later, or look at the "
	                          "steps behind it (--steps)",
	                          NULL, "gaps" },
	[RA_ADVICE_LOADING] = { "data_loading", LEAST,
	                        "for {time} ({share}) nothing runs while the program reads its "
	                        "input in {place}",
	                        "read the next input in other threads while the GPU works",
	                        "load in worker processes (num_workers), pin the memory, and "
	                        "prepare the next batch ahead",
	                        "overview, gaps" },
	[RA_ADVICE_COMMUNICATION] = { "exposed_communication", 0.05,
	                              "for {time} ({share}) collectives run and nothing else "
	                              "does: {place}; {detail}",
	                              "overlap them with computation, send less, or find the rank "
	                              "that comes last",
	                              NULL, "comm, overlap" },
	[RA_ADVICE_WAIT] = { "gpu_wait", LEAST,
	                     "for {time} ({share}) the GPU does nothing although its next "
	                     "operation was launched long before: ahead of {place}",
	                     "look for what it waits for: an event of another stream, another "
	                     "rank, or work that the recording does not have",
	                     NULL, "gaps, gpu-sync" },
	[RA_ADVICE_FIRST_USE] = { "first_use", LEAST,
	                          "for {time} ({share}) the GPU waits for what is only done once: "
	                          "{place}",
	                          "warm up before you measure; begin to record later",
	                          "warm up before you measure; begin to record at a later step",
	                          "api, operators" },
	[RA_ADVICE_SYNC] = { "sync_calls", LEAST,
	                     "for {time} ({share}) the GPU has nothing to do because the program "
	                     "had waited for it: {place}{detail}",
	                     "launch the next work before you wait, or let streams wait for each "
	                     "other (cudaStreamWaitEvent)",
	                     "avoid .item(), printing of tensors and explicit synchronization "
	                     "within a step; make scalars on the GPU, and copy to it from pinned "
	                     "memory with non_blocking=True",
	                     "gpu-sync, gaps" },
	[RA_ADVICE_BLOCKING] = { "launch_blocking", LEAST,
	                         "for {time} ({share}) the GPU does nothing because {detail}; the "
	                         "program is in {place}",
	                         "unset the variable: it is for finding the launch that failed",
	                         NULL, "footer, gaps" },
	[RA_ADVICE_HOST] = { "host_bound", LEAST,
	                     "for {time} ({share}) the GPU does nothing because its next operation "
	                     "is launched too late; the program is in {place}{detail}",
	                     "launch ahead: do the work of the CPU while the GPU runs (in another "
	                     "thread, or after the launch), and launch fewer and larger operations",
	                     "give each launch more work (larger batches), launch fewer operations "
	                     "(torch.compile, CUDA graphs, foreach optimizers), and less Python "
	                     "between them",
	                     "gaps, operators, launch" },
	[RA_ADVICE_LAUNCH] = { "launch_bound", 0.05,
	                       "for {time} ({share}) the GPU does nothing while its next operation "
	                       "is launched already, "
	                       "in the call or on its way to the GPU: {place}",
	                       "launch fewer and larger operations: CUDA graphs, fused kernels",
	                       "launch fewer operations: CUDA graphs, fusion (torch.compile), "
	                       "larger batches",
	                       "launch" },
	[RA_ADVICE_SHORT] = { "short_kernels", LEAST,
	                      "{detail}; behind kernels of less than 10 us the GPU does nothing "
	                      "for {time} ({share}): CUDA graphs or fusion save these gaps; "
	                      "in {place}",
	                      "CUDA graphs, or fewer and larger kernels",
	                      "CUDA graphs, fusion (torch.compile), foreach or fused optimizers",
	                      "kernels, launch" },
	[RA_ADVICE_IDLE] = { "gpu_idle", 0.1,
	                     "for {time} ({share}) the GPU does nothing, and the recording does "
	                     "not tell why: its operations have no calls that launched them",
	                     "record the CPU's side too", NULL, "gaps, devices" },
	[RA_ADVICE_PAGEABLE] = { "pageable_memcpy", LEAST,
	                         "for {time} ({share}) the GPU does nothing but copy pageable "
	                         "memory, or waits for such copies: {place}",
	                         "allocate that memory with cudaMallocHost (or cudaHostRegister "
	                         "it) and copy with cudaMemcpyAsync while kernels run",
	                         "pin the memory (pin_memory=True) and copy with "
	                         "non_blocking=True",
	                         "memcpy, gaps" },
	[RA_ADVICE_SYNC_COPY] = { "sync_memcpy", LEAST,
	                          "for {time} ({share}) the GPU only copies, or does nothing at "
	                          "all, because copies stop the program: {place}{detail}",
	                          "copy from and to pinned memory with cudaMemcpyAsync (with "
	                          "pageable memory it waits, too), and launch the next work "
	                          "before you wait",
	                          "pin the memory and copy with non_blocking=True "
	                          "(cudaMemcpyAsync); leave results "
	                          "on the GPU until they are needed",
	                          "memcpy, gaps" },
	[RA_ADVICE_DEVICE_COPIES] = { "device_copies", 0.08,
	                              "copies within the device take {time} ({share}): {place}",
	                              "work in place",
	                              "work on views or in place; let buckets of gradients be "
	                              "views (gradient_as_bucket_view)",
	                              "memcpy" },
	[RA_ADVICE_FEW_BLOCKS] = { "few_blocks", 0.05,
	                           "kernels with fewer blocks than the device has multiprocessors "
	                           "leave {time} of it unused ({share}): {place}; {detail}",
	                           "give a kernel more blocks: more work at once, split "
	                           "reductions, "
	                           "or run such kernels side by side",
	                           "give a kernel more blocks: larger batches, split the reduction "
	                           "(split-K), or run such kernels side by side",
	                           "gpu, kernels" },
	[RA_ADVICE_OCCUPANCY] = { "low_occupancy", 0.05,
	                          "kernels that need many warps have few: {place}; {detail}; half "
	                          "of their time is {time} ({share})",
	                          "use fewer registers (__launch_bounds__), less shared memory, or "
	                          "another block size",
	                          NULL, "kernels" },
	[RA_ADVICE_PRECISION] = { "precision", LEAST, PRECISION, "use bfloat16 or float16",
	                          "use bfloat16 or float16 (torch.autocast)",
	                          "kernels, operators" },
	[RA_ADVICE_PRECISION_TF32] = { "precision", LEAST, PRECISION,
	                               "use bfloat16 or float16; at least allow TF32",
	                               "use bfloat16 or float16 (torch.autocast); at least allow "
	                               "TF32 (torch.set_float32_matmul_precision(\"high\"))",
	                               "kernels, operators" },
	[RA_ADVICE_PRECISION_FP16] = { "precision", LEAST, PRECISION,
	                               "use float16: the device's tensor cores have neither "
	                               "bfloat16 nor TF32",
	                               "use float16 (torch.autocast with dtype=torch.float16, and "
	                               "a GradScaler for training): the device's tensor cores have "
	                               "neither bfloat16 nor TF32",
	                               "kernels, operators" },
	[RA_ADVICE_PRECISION_ANY] = { "precision", LEAST, PRECISION,
	                              "use what the device has of float16, bfloat16 and TF32",
	                              "use what the device has of float16, bfloat16 "
	                              "(torch.autocast) and TF32",
	                              "kernels, operators" },
	[RA_ADVICE_ALIGNMENT] = { "gemm_alignment", LEAST,
	                          "matrix kernels load {detail}, in {place}; half of their time is "
	                          "{time} ({share})",
	                          "make sizes and strides of matrices multiples of 8 (16 bit) or 4 "
	                          "(TF32)",
	                          "make sizes and strides of matrices multiples of 8 (16 bit) or 4 "
	                          "(TF32): pad vocabulary, features, batch",
	                          "kernels, operators" },
	[RA_ADVICE_BIG_KERNEL] = { "big_kernel", LEAST,
	                           "{detail} GPU time: {place}; {time} ({share})",
	                           "look at this one first: its shape, data type and efficiency",
	                           NULL, "kernels" },
	[RA_ADVICE_ATTENTION] = { "unfused_attention", LEAST,
	                          "softmax and the products around it run as kernels of their own: "
	                          "{place}; half of their time is {time} ({share})",
	                          "use scaled_dot_product_attention or FlashAttention", NULL,
	                          "operators" },
	[RA_ADVICE_ELEMENTWISE] = { "unfused_elementwise", LEAST,
	                            "{detail} of the GPU's time is kernels that only pass over "
	                            "memory: {place}; fusing two by two saves {time} ({share})",
	                            "fuse them",
	                            "fuse them (torch.compile), or use fused operators",
	                            "kernels, operators" },
	[RA_ADVICE_LAYOUT] = { "layout_conversion", LEAST,
	                       "tensors are put into another layout for convolutions and back: "
	                       "{place} take {time} ({share})",
	                       "keep tensors in NHWC",
	                       "keep model and input in channels_last (NHWC)", "kernels" },
	[RA_ADVICE_STEPS] = { "step_variation", 0.05,
	                      "steps differ on the GPU: {detail}; what is above the middle one is "
	                      "{time} ({share})",
	                      "look at the longest step: what else does it do?",
	                      "look at the longest step: another batch size, validation, a "
	                      "checkpoint, collection of garbage",
	                      "overview" },
	[RA_ADVICE_DATA_PARALLEL] = { "data_parallel", LEAST,
	                              "DataParallel copies the model to each of {detail} in every "
	                              "step, from one process: {time} ({share})",
	                              "use DistributedDataParallel", NULL, "operators" },
	[RA_ADVICE_BACKEND] = { "nccl", LEAST,
	                        "ranks with GPUs do not talk by NCCL: {detail}; {time} ({share})",
	                        "use the fastest backend for GPUs: init_process_group(\"nccl\")",
	                        NULL, "comm" },
	[RA_ADVICE_MEMORY_FULL] = { "memory", NAN, "the GPU's memory is nearly full: {detail}",
	                            "free what is not needed any more, or work on smaller parts",
	                            "gradient checkpoints, mixed precision or a smaller batch take "
	                            "less",
	                            "memory" },
	[RA_ADVICE_MEMORY_GROWS] = { "memory", NAN,
	                             "allocated memory grows from step to step: {detail}",
	                             "look for what is never freed",
	                             "look for tensors that are kept, such as losses with their "
	                             "graph in a list",
	                             "memory, memory-curve" },
};

void ra_advice_put_words(struct ra_util_text *text, const char *words, bool is_hip)
{
	static const char *const pairs[][2] = {
		{ "cudaMallocHost", "hipHostMalloc" },
		{ "cudaHostRegister", "hipHostRegister" },
		{ "cudaMemcpyAsync", "hipMemcpyAsync" },
		{ "cudaStreamWaitEvent", "hipStreamWaitEvent" },
		{ "CUDA graphs", "HIP graphs" },
		{ "init_process_group(\"nccl\")", "init_process_group(\"nccl\"), which is RCCL" },
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
