/* SPDX-License-Identifier: MIT */
/* Wrappers of the memory extension for a chained tool. */
#include <string.h>

#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-scratch.h"
#include "libranges/chain/nvtx-chain-translate.h"

#define MEM                RCAP_NVTX_EXT_MEM
#define OURS(type, slot)   RCAP_CHAIN_EXT_OURS(type, MEM, slot)
#define THEIRS(type, slot) RCAP_CHAIN_EXT_THEIRS(type, MEM, slot)

/* Handles of memory: 0 is the process' own, this one none. */
#define NO_HANDLE UINTPTR_MAX

typedef const void *make_fn(const void *domain, const void *argument);
typedef const void *make_flags_fn(const void *domain, int32_t flags);
typedef const void *get_fn(const void *domain);
typedef void handle_fn(const void *domain, const void *handle);
typedef void batch_fn(const void *domain, const void *batch);
typedef void bind_fn(const void *domain, const void *permissions, uint32_t scope, uint32_t flags);
typedef void unbind_fn(const void *domain, uint32_t scope);
typedef void peer_fn(const void *domain, const void *permissions, int peer, uint32_t flags);
typedef void stream_fn(const void *domain, const void *stream, uint8_t is_per_thread,
                       const void *batch);

static const void *their_domain(const void *domain)
{
	return rcap_nvtx_chain_translate_handle(RCAP_CHAIN_DOMAIN, domain);
}

/* As other handles, but the process' own is not what a wild one may become. */
static void *their_handle(enum rcap_chain_kind kind, const void *handle)
{
	uint64_t theirs = NO_HANDLE;

	if (!handle) {
		return NULL;
	}
	rcap_nvtx_chain_map_get(
		(struct rcap_chain_key){ .kind = kind, .ours = (uint64_t) (uintptr_t) handle },
		&theirs);
	/* A handle of the tool's. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return (void *) (uintptr_t) theirs;
}

static const void *made(enum rcap_chain_kind kind, const void *ours, const void *theirs)
{
	/* NVTX's "no tool". */
	if ((uintptr_t) ours == NO_HANDLE) {
		ours = NULL;
	}
	return rcap_nvtx_chain_translate_made(kind, ours, theirs);
}

static const void *register_heap(const void *domain, const void *desc)
{
	make_fn *ours = OURS(make_fn, RCAP_NVTX_SLOT_MEM_HEAP_REGISTER);
	make_fn *theirs = THEIRS(make_fn, RCAP_NVTX_SLOT_MEM_HEAP_REGISTER);
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
	return made(RCAP_CHAIN_HEAP, handle, theirs(their_domain(domain), desc));
}

/* A call that is about one handle. */
static void call_handle(unsigned int slot, enum rcap_chain_kind kind, const void *domain,
                        const void *handle)
{
	handle_fn *ours = OURS(handle_fn, slot);
	handle_fn *theirs = THEIRS(handle_fn, slot);
	const void *const translated = their_handle(kind, handle);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, handle);
	}
	if (theirs) {
		theirs(their_domain(domain), translated);
	}
}

static void unregister_heap(const void *domain, const void *heap)
{
	call_handle(RCAP_NVTX_SLOT_MEM_HEAP_UNREGISTER, RCAP_CHAIN_HEAP, domain, heap);
}

static void reset_heap(const void *domain, const void *heap)
{
	call_handle(RCAP_NVTX_SLOT_MEM_HEAP_RESET, RCAP_CHAIN_HEAP, domain, heap);
}

static void destroy_permissions(const void *domain, const void *permissions)
{
	call_handle(RCAP_NVTX_SLOT_MEM_PERMISSIONS_DESTROY, RCAP_CHAIN_PERMISSIONS, domain,
	            permissions);
}

static void reset_permissions(const void *domain, const void *permissions)
{
	call_handle(RCAP_NVTX_SLOT_MEM_PERMISSIONS_RESET, RCAP_CHAIN_PERMISSIONS, domain,
	            permissions);
}

/*
 * Puts the tool's handles into a copied array of references to regions.
 *
 * @type_at: where an element says what kind its reference is; @is_handle: if none does.
 * @is_last: the region is not referred to again.
 * @region_at, @bytes: where the reference is, and the size of an element.
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
				/* Its place here serves another; so does, perhaps, our handle. */
				key.ours = (uint64_t) (uintptr_t) handle;
			}
			handle = their_handle(RCAP_CHAIN_REGION, handle);
			rcap_nvtx_chain_map_take(key, &gone);
			memcpy(element + references->region_at, &handle, sizeof(handle));
		}
	}
}

/* A copy of the program's array with the tool's handles; NULL if it is not there. */
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

/* Remembers what both have called the regions. */
static void remember_regions(void **ours, void **theirs, size_t count)
{
	for (size_t i = 0; ours && i < count; i++) {
		void *handle;

		if (rcap_peek_bytes(&handle, &ours[i], sizeof(handle)) == sizeof(handle)) {
			rcap_nvtx_chain_translate_made(RCAP_CHAIN_REGION, handle, theirs[i]);
		}
	}
}

static void register_regions(const void *domain, const void *batch)
{
	batch_fn *ours = OURS(batch_fn, RCAP_NVTX_SLOT_MEM_REGIONS_REGISTER);
	batch_fn *theirs = THEIRS(batch_fn, RCAP_NVTX_SLOT_MEM_REGIONS_REGISTER);
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
	/* The program's array holds our handles: the tool's go elsewhere. */
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
	theirs(their_domain(domain), &copy);
	if (out) {
		remember_regions(out, handles, copy.region_count);
		rcap_nvtx_chain_scratch_give(&scratch);
	}
}

/* A batch without handles. */
static void call_batch(unsigned int slot, const void *domain, const void *batch,
                       const void *their_batch)
{
	batch_fn *ours = OURS(batch_fn, slot);
	batch_fn *theirs = THEIRS(batch_fn, slot);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (theirs && their_batch) {
		theirs(their_domain(domain), their_batch);
	}
}

static void resize_regions(const void *domain, const void *batch)
{
	call_batch(RCAP_NVTX_SLOT_MEM_REGIONS_RESIZE, domain, batch, batch);
}

static void unregister_regions(const void *domain, const void *batch)
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
	call_batch(RCAP_NVTX_SLOT_MEM_REGIONS_UNREGISTER, domain, batch, their_batch);
	rcap_nvtx_chain_scratch_give(&scratch);
}

/* Names of regions may be registered strings. */
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

static void name_regions(const void *domain, const void *batch)
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
	call_batch(RCAP_NVTX_SLOT_MEM_REGIONS_NAME, domain, batch, their_batch);
	rcap_nvtx_chain_scratch_give(&scratch);
}

static void assign_permissions(const void *domain, const void *batch)
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
	call_batch(RCAP_NVTX_SLOT_MEM_PERMISSIONS_ASSIGN, domain, batch, their_batch);
	rcap_nvtx_chain_scratch_give(&scratch);
}

static const void *create_permissions(const void *domain, int32_t flags)
{
	make_flags_fn *ours = OURS(make_flags_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_CREATE);
	make_flags_fn *theirs = THEIRS(make_flags_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_CREATE);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, flags) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle, theirs(their_domain(domain), flags))
	              : handle;
}

static void bind_permissions(const void *domain, const void *permissions, uint32_t scope,
                             uint32_t flags)
{
	bind_fn *ours = OURS(bind_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_BIND);
	bind_fn *theirs = THEIRS(bind_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_BIND);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, permissions, scope, flags);
	}
	if (theirs) {
		theirs(their_domain(domain), their_handle(RCAP_CHAIN_PERMISSIONS, permissions),
		       scope, flags);
	}
}

static void unbind_permissions(const void *domain, uint32_t scope)
{
	unbind_fn *ours = OURS(unbind_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_UNBIND);
	unbind_fn *theirs = THEIRS(unbind_fn, RCAP_NVTX_SLOT_MEM_PERMISSIONS_UNBIND);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, scope);
	}
	if (theirs) {
		theirs(their_domain(domain), scope);
	}
}

static const void *cuda_process(const void *domain)
{
	get_fn *ours = OURS(get_fn, RCAP_NVTX_SLOT_MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS);
	get_fn *theirs = THEIRS(get_fn, RCAP_NVTX_SLOT_MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle, theirs(their_domain(domain))) : handle;
}

static const void *cuda_device(const void *domain, int device)
{
	make_flags_fn *ours =
		OURS(make_flags_fn, RCAP_NVTX_SLOT_MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS);
	make_flags_fn *theirs =
		THEIRS(make_flags_fn, RCAP_NVTX_SLOT_MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, device) : NULL;

	return theirs ? made(RCAP_CHAIN_PERMISSIONS, handle, theirs(their_domain(domain), device))
	              : handle;
}

static void cuda_set_peer(const void *domain, const void *permissions, int peer, uint32_t flags)
{
	peer_fn *ours = OURS(peer_fn, RCAP_NVTX_SLOT_MEM_CUDA_SET_PEER_ACCESS);
	peer_fn *theirs = THEIRS(peer_fn, RCAP_NVTX_SLOT_MEM_CUDA_SET_PEER_ACCESS);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, permissions, peer, flags);
	}
	if (theirs) {
		theirs(their_domain(domain), their_handle(RCAP_CHAIN_PERMISSIONS, permissions),
		       peer, flags);
	}
}

static void cuda_mark_initialized(const void *domain, const void *stream, uint8_t is_per_thread,
                                  const void *batch)
{
	stream_fn *ours = OURS(stream_fn, RCAP_NVTX_SLOT_MEM_CUDA_MARK_INITIALIZED);
	stream_fn *theirs = THEIRS(stream_fn, RCAP_NVTX_SLOT_MEM_CUDA_MARK_INITIALIZED);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, stream, is_per_thread, batch);
	}
	if (theirs) {
		theirs(their_domain(domain), stream, is_per_thread, batch);
	}
}

const rcap_nvtx_fn rcap_nvtx_chain_mem_functions[RCAP_CHAIN_EXT_SLOTS] = {
	RCAP_CHAIN_EXT_ENTRY(MEM_HEAP_REGISTER, register_heap),
	RCAP_CHAIN_EXT_ENTRY(MEM_HEAP_UNREGISTER, unregister_heap),
	RCAP_CHAIN_EXT_ENTRY(MEM_HEAP_RESET, reset_heap),
	RCAP_CHAIN_EXT_ENTRY(MEM_REGIONS_REGISTER, register_regions),
	RCAP_CHAIN_EXT_ENTRY(MEM_REGIONS_RESIZE, resize_regions),
	RCAP_CHAIN_EXT_ENTRY(MEM_REGIONS_UNREGISTER, unregister_regions),
	RCAP_CHAIN_EXT_ENTRY(MEM_REGIONS_NAME, name_regions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_ASSIGN, assign_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_CREATE, create_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_DESTROY, destroy_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_RESET, reset_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_BIND, bind_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_PERMISSIONS_UNBIND, unbind_permissions),
	RCAP_CHAIN_EXT_ENTRY(MEM_CUDA_GET_PROCESS_WIDE_PERMISSIONS, cuda_process),
	RCAP_CHAIN_EXT_ENTRY(MEM_CUDA_GET_DEVICE_WIDE_PERMISSIONS, cuda_device),
	RCAP_CHAIN_EXT_ENTRY(MEM_CUDA_SET_PEER_ACCESS, cuda_set_peer),
	RCAP_CHAIN_EXT_ENTRY(MEM_CUDA_MARK_INITIALIZED, cuda_mark_initialized),
};
