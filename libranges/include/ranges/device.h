/* SPDX-License-Identifier: MIT */
/*
 * Sections inside of kernels, for CUDA C++: they show where the time of a long kernel goes, block
 * by block.
 *
 *	enum { LOAD, COMPUTE };
 *
 *	__global__ void solve(float *x, struct ranges_sections sections)
 *	{
 *		RANGES_SECTION_BEGIN(sections, LOAD);
 *		…
 *		RANGES_SECTION_END(sections, LOAD);
 *	}
 *
 *	struct ranges_section_buffer buffer;
 *
 *	ranges_sections_create(&buffer, 64, 128, 1);
 *	ranges_sections_name(&buffer, LOAD, "load");
 *	…
 *	solve<<<grid, block, 0, stream>>>(x, ranges_sections_launch(&buffer));
 *	…
 *	ranges_sections_sync(&buffer, stream);
 *	…
 *	ranges_sections_destroy(&buffer);
 *
 * The first thread of a block writes for the whole block. Call __syncthreads() before if it should
 * wait for other warps. Sections of a block nest. A begin or end takes two stores of 16 bytes and
 * one of 4, and no atomic operation. If nobody records the program, there is no buffer, and a begin
 * or end takes only the test of a number. With RANGES_SECTIONS_OFF defined the macros are empty.
 *
 * Use a buffer only for the kernels of one stream. Each block writes to its own part of the buffer,
 * and kernels that run at the same time would share these parts. Without nvcc, or with memory that
 * the program allocates, use ranges_sections_init() and ranges_sections_submit()
 * (`ranges/device-host.h`).
 */
#ifndef RANGES_DEVICE_H
#define RANGES_DEVICE_H

#include <ranges/device-host.h>

/* ---- In the kernel ---- */

/* What is read from the GPU's registers. With another compiler than nvcc, define all six macros
 * before this line. */
#if defined(__CUDACC__) && !defined(RANGES_DEVICE)
#define RANGES_DEVICE            __device__ __forceinline__
#define RANGES_DEVICE_CLOCK()    RANGES_NVTX_VALUE(uint64_t, clock64())
#define RANGES_DEVICE_TIME()     ranges_device_time_1()
#define RANGES_DEVICE_SM()       ranges_device_sm_1()
#define RANGES_DEVICE_IS_FIRST() ((threadIdx.x | threadIdx.y | threadIdx.z) == 0)
#define RANGES_DEVICE_BLOCK()    (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z))

static RANGES_DEVICE uint64_t ranges_device_time_1(void)
{
	uint64_t ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
	return ns;
}

static RANGES_DEVICE uint32_t ranges_device_sm_1(void)
{
	uint32_t sm;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}
#endif

#ifdef RANGES_DEVICE

/* Writes the begin or end of a section. Reads the time as close as possible to what is measured. */
static RANGES_DEVICE void ranges_section_put_1(struct ranges_sections *sections, uint32_t id,
                                               uint32_t is_end)
{
	struct ranges_section_record record;
	uint32_t block;

	if (sections->slots == 0 || !RANGES_DEVICE_IS_FIRST()) {
		return;
	}
	block = RANGES_DEVICE_BLOCK();
	if (block % sections->every != 0 || block / sections->every >= sections->blocks) {
		return;
	}
	if (is_end) {
		record.clock = RANGES_DEVICE_CLOCK();
		record.time = RANGES_DEVICE_TIME();
	}
	if (sections->next == UINT32_MAX) { /* earlier kernels may have written records */
		sections->next = sections->used[block / sections->every];
	}
	sections->used[block / sections->every] = sections->next + 1;
	if (sections->next < sections->slots) {
		struct ranges_section_record *const to =
			&sections->records[RANGES_NVTX_VALUE(size_t, block / sections->every) *
		                                   sections->slots +
		                           sections->next];

		record.sm = RANGES_DEVICE_SM();
		record.block = block;
		record.id_end = id * 2 + is_end;
		record.launch = sections->launch;
		if (!is_end) {
			record.clock = RANGES_DEVICE_CLOCK();
			record.time = RANGES_DEVICE_TIME();
		}
		*to = record;
	}
	sections->next++;
}

#endif

/*
 * Begin and end a section of the calling block.
 *
 * @sections: a variable of the type `struct ranges_sections`, which is changed: the kernel's
 * parameter, or a copy that the whole kernel uses.
 * @id: 0 … 2^31 - 1, the same for begin and end. It need not have a name.
 * Context: device code; all threads of the block may call it, or only the first.
 */
#if !defined(RANGES_DEVICE) || defined(RANGES_SECTIONS_OFF)
#define RANGES_SECTION_BEGIN(sections, id) ((void) (sections), (void) (id))
#define RANGES_SECTION_END(sections, id)   ((void) (sections), (void) (id))
#else
#define RANGES_SECTION_BEGIN(sections, id) \
	ranges_section_put_1(&(sections), RANGES_NVTX_VALUE(uint32_t, id), 0)
#define RANGES_SECTION_END(sections, id) \
	ranges_section_put_1(&(sections), RANGES_NVTX_VALUE(uint32_t, id), 1)
#endif

/* ---- On the host, by CUDA's runtime ---- */

#if defined(__CUDACC__) || defined(CUDART_VERSION)

/* Frees the memory. No kernel may write to it any more. Sections that were not passed to the tool
 * yet are lost. */
static inline void ranges_sections_destroy(struct ranges_section_buffer *buffer)
{
	cudaFree(buffer->memory);
	free(buffer->copy);
	memset(buffer, 0, sizeof(*buffer));
}

/*
 * Makes a buffer on the current device, unless nobody records.
 *
 * @blocks: at most this many blocks of a kernel are recorded.
 * @every: the first of so many blocks is recorded; at least 1.
 * @slots: room for so many begins and ends of a block between two ranges_sections_sync(). Those
 * that do not fit are counted as dropped. The buffer takes 32 bytes × blocks × slots on the device
 * and on the host.
 * Return: cudaSuccess, also if nobody records. With CUDA's error there are no sections, but all
 * calls work.
 * Context: any thread; allocates. Destroy the buffer in any case.
 */
static inline cudaError_t ranges_sections_create(struct ranges_section_buffer *buffer,
                                                 uint32_t blocks, uint32_t slots, uint32_t every)
{
	const size_t bytes = ranges_sections_bytes(blocks, slots);
	void *memory = RANGES_NVTX_NULL;
	void *copy;
	cudaError_t rc;

	ranges_sections_init(buffer, RANGES_NVTX_NULL, RANGES_NVTX_NULL, blocks, slots, every);
	if (buffer->domain == RANGES_NVTX_NULL) {
		return cudaSuccess;
	}
	copy = malloc(bytes);
	rc = copy == RANGES_NVTX_NULL ? cudaErrorMemoryAllocation : cudaMalloc(&memory, bytes);
	if (rc == cudaSuccess) {
		rc = cudaMemset(memory, 0, bytes);
	}
	if (rc != cudaSuccess) {
		cudaFree(memory);
		free(copy);
		return rc;
	}
	buffer->memory = memory;
	buffer->copy = copy;
	return cudaSuccess;
}

/*
 * Waits for the stream, as cudaStreamSynchronize() does. Passes to the tool what the stream's
 * kernels have written.
 *
 * @stream: the stream on which all kernels with this buffer were launched.
 * Return: cudaSuccess, or CUDA's error.
 * Context: any thread, one at a time per buffer. Copies the buffer: some µs, and its bytes over the
 * bus. The copy and the memset are in the trace.
 */
static inline cudaError_t ranges_sections_sync(struct ranges_section_buffer *buffer,
                                               cudaStream_t stream)
{
	cudaError_t rc = cudaStreamSynchronize(stream);

	if (rc != cudaSuccess || buffer->memory == RANGES_NVTX_NULL) {
		return rc;
	}
	rc = cudaMemcpyAsync(buffer->copy, buffer->memory,
	                     ranges_sections_bytes(buffer->blocks, buffer->slots),
	                     cudaMemcpyDeviceToHost, stream);
	if (rc == cudaSuccess) {
		rc = cudaMemsetAsync(buffer->memory, 0, buffer->blocks * sizeof(uint32_t), stream);
	}
	if (rc == cudaSuccess) {
		rc = cudaStreamSynchronize(stream);
	}
	if (rc == cudaSuccess) {
		ranges_sections_submit(buffer);
	}
	return rc;
}

#endif

#endif
