/* SPDX-License-Identifier: MIT */
/* Calls with an array of regions. */
#include <stdatomic.h>

#include "libranges/nvtx/nvtx-ext.h"
#include "libranges/nvtx/nvtx-calls.h"
#include "libranges/nvtx/nvtx-text.h"
#include "libranges/process/oddity.h"
#include "libranges/record/payloads/payload.h"
#include "libranges/base/peek.h"

#define FUNCTION(slot) RCAP_NVTX_EXT_FUNCTION(RCAP_NVTX_EXT_MEM, RCAP_NVTX_SLOT_MEM_##slot)

/* A row of the log describes one element of the program's array. At most this many bytes of the
 * element are read. */
#define ELEMENT_BYTES 64u
/* About the number of bytes of a row in the log. This limits the number of rows. */
#define ROW_BYTES 32u

static _Atomic uint64_t last_region;

/* An array in the program's memory. */
struct array {
	const void *elements;
	size_t count;
	size_t stride;       /* bytes from one element to the next, given by the program */
	size_t needed_bytes; /* shorter elements are not read */
};

/* What a function that adds a row may need besides the element. */
struct row {
	uint32_t type;     /* type of regions or of references */
	uint64_t *handles; /* gets the handle of a new region; NULL if the program does not want
	                    * it */
	size_t index;
};

typedef void add_row_fn(struct rlog_pack *pack, const void *element, const struct row *row);

/* Adds a row for each element of the array that can be read. */
static void add_rows(struct rlog_pack *pack, const struct array *array, add_row_fn *add,
                     struct row row)
{
	_Alignas(8) char element[ELEMENT_BYTES];
	const size_t bytes = array->stride < ELEMENT_BYTES ? array->stride : ELEMENT_BYTES;
	const size_t limit = rcap_payload_limit() / ROW_BYTES;
	const size_t opened = rlog_pack_open_array(pack);
	size_t count = array->count;

	if (count > 0 && array->stride < array->needed_bytes) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		count = 0;
	}
	if (count > limit) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
		count = limit;
	}
	for (row.index = 0; row.index < count && !pack->full; row.index++) {
		/* Computed as an integer, because a wild stride may wrap around the end of
		 * memory. */
		const uintptr_t at = (uintptr_t) array->elements + row.index * array->stride;

		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		if (rcap_peek_bytes(element, (const void *) at, bytes) < bytes) {
			rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
			break;
		}
		add(pack, element, &row);
	}
	rlog_pack_close_array(pack, opened, (uint16_t) row.index);
}

/* Reads the struct of a batch. Return: false if it can't be one; this is counted. */
static bool read_batch(void *copy, const void *batch, size_t bytes)
{
	const struct rcap_nvtx_mem_region_batch *const head = copy;

	if (!rcap_nvtx_ext_read(copy, batch, bytes)) {
		return false;
	}
	if (head->struct_size < bytes) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		return false;
	}
	return true;
}

/* Packs address and size of a region. For a CUDA array packs only the address. */
static void add_place(struct rlog_pack *pack, const void *element, uint32_t type)
{
	const struct rcap_nvtx_mem_virtual_range *const range = element;
	const struct rcap_nvtx_mem_array_range *const array = element;

	if (type == RCAP_NVTX_MEM_CUDA_ARRAY || type == RCAP_NVTX_MEM_CU_ARRAY) {
		rlog_pack_uint(pack, (uintptr_t) array->src);
		rlog_pack_uint(pack, 0);
	} else {
		rlog_pack_uint(pack, (uintptr_t) range->ptr);
		rlog_pack_uint(pack, range->size);
	}
}

static void add_region(struct rlog_pack *pack, const void *element, const struct row *row)
{
	rlog_pack_array(pack, 2);
	add_place(pack, element, row->type);
}

static void add_new_region(struct rlog_pack *pack, const void *element, const struct row *row)
{
	const uint64_t id = atomic_fetch_add_explicit(&last_region, 1, memory_order_relaxed) + 1;

	rlog_pack_array(pack, 3);
	add_place(pack, element, row->type);
	rlog_pack_uint(pack, id);
	if (row->handles && !rcap_peek_write(&row->handles[row->index], &id, sizeof(id))) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
	}
}

static void add_reference(struct rlog_pack *pack, const void *element, const struct row *row)
{
	const union rcap_nvtx_mem_region_ref *const reference = element;

	(void) row;
	rlog_pack_uint(pack, (uintptr_t) reference->pointer);
}

static void add_name(struct rlog_pack *pack, const void *element, const struct row *row)
{
	const struct rcap_nvtx_mem_name_desc *const desc = element;
	struct rcap_nvtx_text text;

	(void) row;
	rlog_pack_array(pack, 4);
	rlog_pack_uint(pack, desc->region_ref_type);
	rlog_pack_uint(pack, (uintptr_t) desc->region.pointer);
	if (rcap_nvtx_text_take_message(&text, (int32_t) desc->name_type, desc->name)) {
		rlog_pack_text(pack, text.bytes,
		               text.length < RCAP_ARGS_TEXT_BYTES ? text.length
		                                                  : RCAP_ARGS_TEXT_BYTES);
	} else {
		rlog_pack_nil(pack);
	}
	rlog_pack_uint(pack, desc->category);
}

static void add_assignment(struct rlog_pack *pack, const void *element, const struct row *row)
{
	const struct rcap_nvtx_mem_assign_desc *const desc = element;

	(void) row;
	rlog_pack_array(pack, 3);
	rlog_pack_uint(pack, desc->flags);
	rlog_pack_uint(pack, desc->region_ref_type);
	rlog_pack_uint(pack, (uintptr_t) desc->region.pointer);
}

void rcap_nvtx_mem_register_regions(const void *domain,
                                    const struct rcap_nvtx_mem_register_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin_definition(domain, &id);
	struct rcap_nvtx_mem_register_batch copy;
	struct row row = { 0 };
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	if (!read_batch(&copy, batch, sizeof(copy))) {
		copy = (struct rcap_nvtx_mem_register_batch){ 0 };
	}
	row.type = copy.region_type;
	row.handles = (uint64_t *) (void *) copy.region_handle_elements_out;
	args = rcap_args_begin(thread, 3);
	rlog_pack_uint(&args, copy.region_type);
	rlog_pack_uint(&args, (uintptr_t) copy.heap);
	add_rows(&args,
	         &(struct array){ copy.region_desc_elements, copy.region_count,
	                          copy.region_desc_element_size,
	                          sizeof(struct rcap_nvtx_mem_virtual_range) },
	         add_new_region, row);
	rcap_args_record(thread, FUNCTION(REGIONS_REGISTER), id, 0, &args);
	rcap_thread_leave(thread);
}

/* Packs the type and the regions. The caller has packed other arguments before. */
static void add_regions(struct rlog_pack *pack, const struct rcap_nvtx_mem_region_batch *batch)
{
	struct rcap_nvtx_mem_region_batch copy;
	struct row row = { 0 };

	if (!read_batch(&copy, batch, sizeof(copy))) {
		copy = (struct rcap_nvtx_mem_region_batch){ 0 };
	}
	row.type = copy.region_type;
	rlog_pack_uint(pack, copy.region_type);
	add_rows(pack,
	         &(struct array){ copy.region_desc_elements, copy.region_desc_count,
	                          copy.region_desc_element_size,
	                          sizeof(struct rcap_nvtx_mem_virtual_range) },
	         add_region, row);
}

void rcap_nvtx_mem_resize_regions(const void *domain,
                                  const struct rcap_nvtx_mem_region_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (thread) {
		args = rcap_args_begin(thread, 2);
		add_regions(&args, batch);
		rcap_args_record(thread, FUNCTION(REGIONS_RESIZE), id, 0, &args);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_mem_cuda_mark_initialized(const void *domain, const void *stream,
                                         uint8_t is_per_thread,
                                         const struct rcap_nvtx_mem_region_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rlog_pack args;

	if (thread) {
		args = rcap_args_begin(thread, 4);
		rlog_pack_uint(&args, (uintptr_t) stream);
		rlog_pack_uint(&args, is_per_thread);
		add_regions(&args, batch);
		rcap_args_record(thread, FUNCTION(CUDA_MARK_INITIALIZED), id, 0, &args);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_mem_unregister_regions(const void *domain,
                                      const struct rcap_nvtx_mem_unregister_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rcap_nvtx_mem_unregister_batch copy;
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	if (!read_batch(&copy, batch, sizeof(copy))) {
		copy = (struct rcap_nvtx_mem_unregister_batch){ 0 };
	}
	args = rcap_args_begin(thread, 2);
	rlog_pack_uint(&args, copy.ref_type);
	add_rows(&args,
	         &(struct array){ copy.ref_elements, copy.ref_count, copy.ref_element_size,
	                          sizeof(*copy.ref_elements) },
	         add_reference, (struct row){ 0 });
	rcap_args_record(thread, FUNCTION(REGIONS_UNREGISTER), id, 0, &args);
	rcap_thread_leave(thread);
}

void rcap_nvtx_mem_name_regions(const void *domain, const struct rcap_nvtx_mem_name_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rcap_nvtx_mem_name_batch copy;
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	if (!read_batch(&copy, batch, sizeof(copy))) {
		copy = (struct rcap_nvtx_mem_name_batch){ 0 };
	}
	args = rcap_args_begin(thread, 1);
	add_rows(&args,
	         &(struct array){ copy.region_elements, copy.region_count, copy.region_element_size,
	                          sizeof(*copy.region_elements) },
	         add_name, (struct row){ 0 });
	rcap_args_record(thread, FUNCTION(REGIONS_NAME), id, 0, &args);
	rcap_thread_leave(thread);
}

void rcap_nvtx_mem_assign(const void *domain, const struct rcap_nvtx_mem_assign_batch *batch)
{
	uint32_t id;
	struct rcap_thread *thread = rcap_nvtx_ext_begin(domain, &id);
	struct rcap_nvtx_mem_assign_batch copy;
	struct rlog_pack args;

	if (!thread) {
		return;
	}
	if (!read_batch(&copy, batch, sizeof(copy))) {
		copy = (struct rcap_nvtx_mem_assign_batch){ 0 };
	}
	args = rcap_args_begin(thread, 2);
	rlog_pack_uint(&args, (uintptr_t) copy.permissions);
	add_rows(&args,
	         &(struct array){ copy.region_elements, copy.region_count, copy.region_element_size,
	                          sizeof(*copy.region_elements) },
	         add_assignment, (struct row){ 0 });
	rcap_args_record(thread, FUNCTION(PERMISSIONS_ASSIGN), id, 0, &args);
	rcap_thread_leave(thread);
}
