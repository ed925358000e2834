/* SPDX-License-Identifier: MIT */
/* Wrappers of the memory extension for a chained tool. */
#include <string.h>

#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-scratch.h"
#include "libranges/chain/nvtx-chain-translate.h"

/* The handle that means none. (0 means the memory of the whole process.) */
#define NO_HANDLE UINTPTR_MAX

/* Returns the tool's handle of memory. An unknown handle becomes NO_HANDLE, not 0, which means the
 * whole process. */
static void *their_handle(enum rcap_chain_kind kind, const void *handle)
{
	uint64_t theirs = NO_HANDLE;

	if (!handle) {
		return NULL;
	}
	rcap_nvtx_chain_map_get(
		(struct rcap_chain_key){ .kind = kind, .ours = (uint64_t) (uintptr_t) handle },
		&theirs);
	/* The tool's handle. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return (void *) (uintptr_t) theirs;
}

static const void *made(enum rcap_chain_kind kind, const void *ours, const void *theirs)
{
	/* NVTX returns NO_HANDLE if there is no tool. */
	if ((uintptr_t) ours == NO_HANDLE) {
		ours = NULL;
	}
	return rcap_nvtx_chain_translate_made(kind, ours, theirs);
}

const void *rcap_nvtx_chain_mem_register_heap(const void *domain,
                                              const struct rcap_nvtx_mem_heap_desc *desc)
{
	rcap_nvtx_MEM_HEAP_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(MEM, MEM_HEAP_REGISTER);
	rcap_nvtx_MEM_HEAP_REGISTER_fn *theirs = RCAP_CHAIN_EXT_THEIRS(MEM, MEM_HEAP_REGISTER);
	struct rcap_nvtx_mem_heap_desc read;
	struct rcap_chain_copy copy;
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, desc) : NULL;

	if (!theirs) {
		return handle;
	}
	if (rcap_peek_bytes(&read, desc, sizeof(read)) == sizeof(read) &&
	    read.struct_size == sizeof(read)) {
		desc = rcap_nvtx_chain_translate_attributes(RCAP_CHAIN_HEAP_DESC, &read, &copy);
	}
	return made(RCAP_CHAIN_HEAP, handle,
	            theirs(rcap_nvtx_chain_translate_domain(domain), desc));
}

void rcap_nvtx_chain_mem_unregister_heap(const void *domain, const void *heap)
{
	const void *const translated = their_handle(RCAP_CHAIN_HEAP, heap);

	RCAP_CHAIN_EXT_BOTH(MEM, MEM_HEAP_UNREGISTER, (domain, heap),
	                    (rcap_nvtx_chain_translate_domain(domain), translated));
}

void rcap_nvtx_chain_mem_reset_heap(const void *domain, const void *heap)
{
	const void *const translated = their_handle(RCAP_CHAIN_HEAP, heap);

	RCAP_CHAIN_EXT_BOTH(MEM, MEM_HEAP_RESET, (domain, heap),
	                    (rcap_nvtx_chain_translate_domain(domain), translated));
}

void rcap_nvtx_chain_mem_destroy_permissions(const void *domain, const void *permissions)
{
	const void *const translated = their_handle(RCAP_CHAIN_PERMISSIONS, permissions);

	RCAP_CHAIN_EXT_BOTH(MEM, MEM_PERMISSIONS_DESTROY, (domain, permissions),
	                    (rcap_nvtx_chain_translate_domain(domain), translated));
}

void rcap_nvtx_chain_mem_reset_permissions(const void *domain, const void *permissions)
{
	const void *const translated = their_handle(RCAP_CHAIN_PERMISSIONS, permissions);

	RCAP_CHAIN_EXT_BOTH(MEM, MEM_PERMISSIONS_RESET, (domain, permissions),
	                    (rcap_nvtx_chain_translate_domain(domain), translated));
}

/*
 * Describes an array of references to regions, whose handles are to be replaced by the tool's.
 *
 * @type_at: offset of the reference's type in an element; NO_TYPE if elements have no type.
 * @is_handle: used if elements have no type. @is_last: true if the regions are not referred to
 * again. @region_at: offset of the reference in an element. @bytes: size of an element.
 */
struct references {
	size_t type_at;
	bool is_handle;
	bool is_last;
	size_t region_at;
	size_t bytes;
};

#define NO_TYPE SIZE_MAX

static void patch_references(unsigned char *elements, size_t count,
                             const struct references *references)
{
	for (size_t i = 0; i < count; i++) {
		unsigned char *const element = elements + i * references->bytes;
		struct rcap_chain_key key = { .kind = RCAP_CHAIN_REGION };
		uint32_t type = references->is_handle ? RCAP_NVTX_MEM_REF_HANDLE : 0;
		const void *handle;
		uint64_t gone;

		if (references->type_at != NO_TYPE) {
			memcpy(&type, element + references->type_at, sizeof(type));
		}
		if (type == RCAP_NVTX_MEM_REF_HANDLE) {
			memcpy(&handle, element + references->region_at, sizeof(handle));
			if (references->is_last) {
				/* The handle may be reused, so its mapping is removed. */
				key.ours = (uint64_t) (uintptr_t) handle;
			}
			handle = their_handle(RCAP_CHAIN_REGION, handle);
			rcap_nvtx_chain_map_take(key, &gone);
			memcpy(element + references->region_at, &handle, sizeof(handle));
		}
	}
}

/* Copies the program's array, with the tool's handles. Return: NULL if the array can't be read. */
static void *copy_references(struct rcap_chain_scratch *scratch, const void *elements, size_t count,
                             const struct references *references)
{
	void *copy = NULL;

	if (references->bytes > 0 && references->bytes <= 256 &&
	    references->bytes >= references->region_at + sizeof(void *) &&
	    count <= RCAP_CHAIN_SCRATCH_MAX / references->bytes) {
		copy = rcap_nvtx_chain_scratch_copy(scratch, elements, count * references->bytes);
	}
	if (copy) {
		patch_references(copy, count, references);
	}
	return copy;
}

/* Stores our handle and the tool's for each region. */
static void remember_regions(void **ours, void **theirs, size_t count)
{
	for (size_t i = 0; ours && i < count; i++) {
		void *handle;

		if (rcap_peek_bytes(&handle, &ours[i], sizeof(handle)) == sizeof(handle)) {
			rcap_nvtx_chain_translate_made(RCAP_CHAIN_REGION, handle, theirs[i]);
		}
	}
}

void rcap_nvtx_chain_mem_register_regions(const void *domain,
                                          const struct rcap_nvtx_mem_register_batch *batch)
{
	rcap_nvtx_MEM_REGIONS_REGISTER_fn *ours = RCAP_CHAIN_EXT_OURS(MEM, MEM_REGIONS_REGISTER);
	rcap_nvtx_MEM_REGIONS_REGISTER_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(MEM, MEM_REGIONS_REGISTER);
	struct rcap_nvtx_mem_register_batch copy;
	struct rcap_chain_scratch scratch;
	void **handles = NULL;
	void **out;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (!theirs || rcap_peek_bytes(&copy, batch, sizeof(copy)) != sizeof(copy) ||
	    copy.region_count > RCAP_CHAIN_SCRATCH_MAX / sizeof(*handles)) {
		return;
	}
	/* Our function writes our handles into the program's array, so the tool's handles need an
	 * array of their own. */
	out = copy.region_handle_elements_out;
	if (out) {
		handles = rcap_nvtx_chain_scratch_take(&scratch,
		                                       copy.region_count * sizeof(*handles));
		if (!handles) {
			return;
		}
		memset(handles, 0, copy.region_count * sizeof(*handles));
		copy.region_handle_elements_out = handles;
	}
	copy.heap = their_handle(RCAP_CHAIN_HEAP, copy.heap);
	theirs(rcap_nvtx_chain_translate_domain(domain), &copy);
	if (out) {
		remember_regions(out, handles, copy.region_count);
		rcap_nvtx_chain_scratch_give(&scratch);
	}
}

void rcap_nvtx_chain_mem_resize_regions(const void *domain,
                                        const struct rcap_nvtx_mem_region_batch *batch)
{
	RCAP_CHAIN_EXT_BOTH(MEM, MEM_REGIONS_RESIZE, (domain, batch),
	                    (rcap_nvtx_chain_translate_domain(domain), batch));
}

void rcap_nvtx_chain_mem_unregister_regions(const void *domain,
                                            const struct rcap_nvtx_mem_unregister_batch *batch)
{
	struct rcap_nvtx_mem_unregister_batch copy;
	struct references references = { .type_at = NO_TYPE, .is_last = true };
	struct rcap_chain_scratch scratch = { .mapped = NULL };
	const void *their_batch = NULL;

	if (rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		references.is_handle = copy.ref_type == RCAP_NVTX_MEM_REF_HANDLE;
		references.bytes = copy.ref_element_size;
		copy.ref_elements =
			copy_references(&scratch, copy.ref_elements, copy.ref_count, &references);
		their_batch = copy.ref_elements ? &copy : NULL;
	}
	RCAP_CHAIN_EXT_BOTH_IF(their_batch != NULL, MEM, MEM_REGIONS_UNREGISTER, (domain, batch),
	                       (rcap_nvtx_chain_translate_domain(domain), their_batch));
	rcap_nvtx_chain_scratch_give(&scratch);
}

/* The name of a region may be a registered string. */
static void patch_names(unsigned char *elements, size_t count, size_t bytes)
{
	for (size_t i = 0; i < count && bytes >= sizeof(struct rcap_nvtx_mem_name_desc); i++) {
		struct rcap_nvtx_mem_name_desc desc;

		memcpy(&desc, elements + i * bytes, sizeof(desc));
		if (desc.name_type == RCAP_NVTX_MESSAGE_REGISTERED) {
			desc.name = rcap_nvtx_chain_translate_handle(RCAP_CHAIN_STRING, desc.name);
			memcpy(elements + i * bytes, &desc, sizeof(desc));
		}
	}
}

void rcap_nvtx_chain_mem_name_regions(const void *domain,
                                      const struct rcap_nvtx_mem_name_batch *batch)
{
	struct rcap_nvtx_mem_name_batch copy;
	struct references references = {
		.type_at = offsetof(struct rcap_nvtx_mem_name_desc, region_ref_type),
		.region_at = offsetof(struct rcap_nvtx_mem_name_desc, region),
	};
	struct rcap_chain_scratch scratch = { .mapped = NULL };
	const void *their_batch = NULL;
	void *elements;

	if (rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		references.bytes = copy.region_element_size;
		elements = copy_references(&scratch, copy.region_elements, copy.region_count,
		                           &references);
		if (elements) {
			patch_names(elements, copy.region_count, copy.region_element_size);
			copy.region_elements = elements;
			their_batch = &copy;
		}
	}
	RCAP_CHAIN_EXT_BOTH_IF(their_batch != NULL, MEM, MEM_REGIONS_NAME, (domain, batch),
	                       (rcap_nvtx_chain_translate_domain(domain), their_batch));
	rcap_nvtx_chain_scratch_give(&scratch);
}

void rcap_nvtx_chain_mem_assign(const void *domain, const struct rcap_nvtx_mem_assign_batch *batch)
{
	struct rcap_nvtx_mem_assign_batch copy;
	struct references references = {
		.type_at = offsetof(struct rcap_nvtx_mem_assign_desc, region_ref_type),
		.region_at = offsetof(struct rcap_nvtx_mem_assign_desc, region),
	};
	struct rcap_chain_scratch scratch = { .mapped = NULL };
	const void *their_batch = NULL;

	if (rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		references.bytes = copy.region_element_size;
		copy.region_elements = copy_references(&scratch, copy.region_elements,
		                                       copy.region_count, &references);
		copy.permissions = their_handle(RCAP_CHAIN_PERMISSIONS, copy.permissions);
		their_batch = copy.region_elements ? &copy : NULL;
	}
	RCAP_CHAIN_EXT_BOTH_IF(their_batch != NULL, MEM, MEM_PERMISSIONS_ASSIGN, (domain, batch),
	                       (rcap_nvtx_chain_translate_domain(domain), their_batch));
	rcap_nvtx_chain_scratch_give(&scratch);
}

const void *rcap_nvtx_chain_mem_create_permissions(const void *domain, int32_t flags)
{
	rcap_nvtx_MEM_PERMISSIONS_CREATE_fn *ours =
		RCAP_CHAIN_EXT_OURS(MEM, MEM_PERMISSIONS_CREATE);
	rcap_nvtx_MEM_PERMISSIONS_CREATE_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(MEM, MEM_PERMISSIONS_CREATE);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, flags) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle,
	                     theirs(rcap_nvtx_chain_translate_domain(domain), flags))
	              : handle;
}

void rcap_nvtx_chain_mem_bind(const void *domain, const void *permissions, uint32_t scope,
                              uint32_t flags)
{
	RCAP_CHAIN_EXT_BOTH(MEM, MEM_PERMISSIONS_BIND, (domain, permissions, scope, flags),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_handle(RCAP_CHAIN_PERMISSIONS, permissions), scope, flags));
}

void rcap_nvtx_chain_mem_unbind(const void *domain, uint32_t scope)
{
	RCAP_CHAIN_EXT_BOTH(MEM, MEM_PERMISSIONS_UNBIND, (domain, scope),
	                    (rcap_nvtx_chain_translate_domain(domain), scope));
}

const void *rcap_nvtx_chain_mem_cuda_process(const void *domain)
{
	rcap_nvtx_MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS_fn *ours =
		RCAP_CHAIN_EXT_OURS(MEM, MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS);
	rcap_nvtx_MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(MEM, MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle,
	                     theirs(rcap_nvtx_chain_translate_domain(domain)))
	              : handle;
}

const void *rcap_nvtx_chain_mem_cuda_device(const void *domain, int device)
{
	rcap_nvtx_MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS_fn *ours =
		RCAP_CHAIN_EXT_OURS(MEM, MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS);
	rcap_nvtx_MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(MEM, MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, device) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle,
	                     theirs(rcap_nvtx_chain_translate_domain(domain), device))
	              : handle;
}

void rcap_nvtx_chain_mem_cuda_set_peer(const void *domain, const void *permissions, int peer,
                                       uint32_t flags)
{
	RCAP_CHAIN_EXT_BOTH(MEM, MEM_CUDA_SET_PEER_ACCESS, (domain, permissions, peer, flags),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_handle(RCAP_CHAIN_PERMISSIONS, permissions), peer, flags));
}

void rcap_nvtx_chain_mem_cuda_mark_initialized(const void *domain, const void *stream,
                                               uint8_t is_per_thread,
                                               const struct rcap_nvtx_mem_region_batch *batch)
{
	RCAP_CHAIN_EXT_BOTH(
		MEM, MEM_CUDA_MARK_INITIALIZED, (domain, stream, is_per_thread, batch),
		(rcap_nvtx_chain_translate_domain(domain), stream, is_per_thread, batch));
}
