/* SPDX-License-Identifier: MIT */
/* Heaps and permissions; regions are in nvtx-mem-regions.c. */
#include "libranges/nvtx/nvtx-calls.h"

#include <stdatomic.h>

#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/nvtx/nvtx-text.h"
#include "libranges/process/oddity.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_MEM, RCAP_NVTX_SLOT_MEM_##slot)

/* The handle that a program gets without a tool. NOLINTNEXTLINE(performance-no-int-to-ptr) */
#define NO_TOOL ((void *) (intptr_t) -1)

/*
 * Handles that are numbers. The handles of CUDA's own permissions are the same at each call. New
 * permissions, and heaps that have no address, get the numbers after these.
 */
#define CUDA_PROCESS      UINT64_C(1)
#define CUDA_FIRST_DEVICE UINT64_C(0x1000)
#define FIRST_MADE        (CUDA_FIRST_DEVICE + UINT32_MAX + 1)

static _Atomic uint64_t last_made = FIRST_MADE - 1;

static void *to_handle(uint64_t number)
{
	return (void *) (uintptr_t) number; /* NOLINT(performance-no-int-to-ptr) */
}

static uint64_t make_number(void)
{
	return atomic_fetch_add_explicit(&last_made, 1, memory_order_relaxed) + 1;
}

/* Records a call with numbers as arguments. Return: false if nothing is recorded. */
static bool record(const void *domain, uint32_t function, unsigned int count,
                   const uint64_t *numbers)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &id);
	struct rlog_pack args;

	if (!thread) {
		return false;
	}
	args = rcap_args_begin(thread, count);
	for (unsigned int i = 0; i < count; i++) {
		rlog_pack_uint(&args, numbers[i]);
	}
	rcap_args_record(thread, function, id, 0, &args);
	rcap_thread_leave(thread);
	return true;
}

#define RECORD(domain, function, ...)                                        \
	record(domain, FUNCTION(function),                                   \
	       sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
	       (const uint64_t[]){ __VA_ARGS__ })

/* Packs where a heap is, if two numbers describe that. Return: the heap's handle. */
static uint64_t locate(const struct rcap_nvtx_mem_heap_desc *desc,
                       struct rcap_nvtx_mem_virtual_range *range)
{
	*range = (struct rcap_nvtx_mem_virtual_range){ 0 };
	if (desc->type == RCAP_NVTX_MEM_VIRTUAL_ADDRESS &&
	    desc->type_specific_desc_size >= sizeof(*range) &&
	    rcap_nvtx_ext_read(range, desc->type_specific_desc, sizeof(*range)) && range->ptr) {
		return (uintptr_t) range->ptr;
	}
	return make_number();
}

const void *rcap_nvtx_mem_register_heap(const void *domain,
                                        const struct rcap_nvtx_mem_heap_desc *desc)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &id);
	struct rcap_nvtx_mem_virtual_range range;
	struct rcap_nvtx_mem_heap_desc copy;
	struct rcap_nvtx_text text;
	struct rlog_pack args;
	uint32_t name = 0;
	uint64_t heap;

	if (!thread) {
		return NO_TOOL;
	}
	rcap_nvtx_ext_read(&copy, desc, sizeof(copy));
	if (copy.struct_size < sizeof(copy)) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		copy = (struct rcap_nvtx_mem_heap_desc){ 0 };
	}
	heap = locate(&copy, &range);
	if (rcap_nvtx_text_take_message(&text, (int32_t) copy.message_type, copy.message)) {
		name = rcap_nvtx_text_intern(thread, &text);
	}
	args = rcap_args_begin(thread, 6);
	rlog_pack_uint(&args, heap);
	rlog_pack_uint(&args, copy.usage);
	rlog_pack_uint(&args, copy.type);
	rlog_pack_uint(&args, copy.category);
	rlog_pack_uint(&args, (uintptr_t) range.ptr);
	rlog_pack_uint(&args, range.size);
	rcap_args_record(thread, FUNCTION(HEAP_REGISTER), id, name, &args);
	rcap_thread_leave(thread);
	return to_handle(heap);
}

void rcap_nvtx_mem_unregister_heap(const void *domain, const void *heap)
{
	RECORD(domain, HEAP_UNREGISTER, (uintptr_t) heap);
}

void rcap_nvtx_mem_reset_heap(const void *domain, const void *heap)
{
	RECORD(domain, HEAP_RESET, (uintptr_t) heap);
}

const void *rcap_nvtx_mem_create_permissions(const void *domain, int32_t flags)
{
	const uint64_t permissions = make_number();

	return RECORD(domain, PERMISSIONS_CREATE, permissions, (uint32_t) flags)
	               ? to_handle(permissions)
	               : NO_TOOL;
}

void rcap_nvtx_mem_destroy_permissions(const void *domain, const void *permissions)
{
	RECORD(domain, PERMISSIONS_DESTROY, (uintptr_t) permissions);
}

void rcap_nvtx_mem_reset_permissions(const void *domain, const void *permissions)
{
	RECORD(domain, PERMISSIONS_RESET, (uintptr_t) permissions);
}

void rcap_nvtx_mem_bind(const void *domain, const void *permissions, uint32_t scope, uint32_t flags)
{
	RECORD(domain, PERMISSIONS_BIND, (uintptr_t) permissions, scope, flags);
}

void rcap_nvtx_mem_unbind(const void *domain, uint32_t scope)
{
	RECORD(domain, PERMISSIONS_UNBIND, scope);
}

const void *rcap_nvtx_mem_cuda_process(const void *domain)
{
	return RECORD(domain, CUDA_GET_PROCESS_WIDE_PERMISSIONS, CUDA_PROCESS)
	               ? to_handle(CUDA_PROCESS)
	               : NO_TOOL;
}

/* Records a call whose middle argument is a number that may be negative. */
static bool record_signed(const void *domain, uint32_t function, uint64_t permissions, int number,
                          const uint32_t *flags)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (!thread) {
		return false;
	}
	args = rcap_args_begin(thread, flags ? 3 : 2);
	rlog_pack_uint(&args, permissions);
	rlog_pack_int(&args, number);
	if (flags) {
		rlog_pack_uint(&args, *flags);
	}
	rcap_args_record(thread, function, id, 0, &args);
	rcap_thread_leave(thread);
	return true;
}

const void *rcap_nvtx_mem_cuda_device(const void *domain, int device)
{
	const uint64_t permissions = CUDA_FIRST_DEVICE + (uint32_t) device;

	return record_signed(domain, FUNCTION(CUDA_GET_DEVICE_WIDE_PERMISSIONS), permissions,
	                     device, NULL)
	               ? to_handle(permissions)
	               : NO_TOOL;
}

void rcap_nvtx_mem_cuda_set_peer(const void *domain, const void *permissions, int peer,
                                 uint32_t flags)
{
	record_signed(domain, FUNCTION(CUDA_SET_PEER_ACCESS), (uintptr_t) permissions, peer,
	              &flags);
}
