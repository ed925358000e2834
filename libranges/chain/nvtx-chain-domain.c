/* SPDX-License-Identifier: MIT */
/* Wrappers of NVTX's core2 and synchronisation modules for a chained tool: calls with domains and
 * other handles. nvtx-chain-core.c describes the order of calls and the results. */
#include <wchar.h>

#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/chain/nvtx-chain-wrap.h"

#define CORE2 RCAP_NVTX_MODULE_CORE2
#define SYNC  RCAP_NVTX_MODULE_SYNC

typedef void mark_fn(const void *domain, const void *attributes);
typedef int push_fn(const void *domain, const void *attributes);
typedef int pop_fn(const void *domain);
typedef uint64_t start_fn(const void *domain, const void *attributes);
typedef void end_fn(const void *domain, uint64_t id);
typedef void name_fn(const void *domain, uint32_t category, const void *text);
typedef const void *make_fn(const void *domain, const void *argument);
typedef const void *create_fn(const void *text);
typedef void handle_fn(const void *handle);

static const void *their_event(const void *domain, const void *attributes,
                               struct rcap_chain_event *copy)
{
	return rcap_nvtx_chain_translate_event(domain, attributes, copy);
}

void rcap_nvtx_chain_core_domain_mark_ex(const void *domain,
                                         const struct rcap_nvtx_attributes *attributes)
{
	mark_fn *ours = RCAP_CHAIN_OURS(mark_fn, CORE2, RCAP_NVTX_DOMAIN_MARK_EX);
	mark_fn *theirs = RCAP_CHAIN_THEIRS(mark_fn, CORE2, RCAP_NVTX_DOMAIN_MARK_EX);
	struct rcap_chain_event copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, attributes);
	}
	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain),
		       their_event(domain, attributes, &copy));
	}
}

uint64_t rcap_nvtx_chain_core_domain_range_start_ex(const void *domain,
                                                    const struct rcap_nvtx_attributes *attributes)
{
	start_fn *ours = RCAP_CHAIN_OURS(start_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_START_EX);
	start_fn *theirs = RCAP_CHAIN_THEIRS(start_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_START_EX);
	struct rcap_chain_event copy;
	uint64_t their_id;
	RCAP_CHAIN_KEEP_ERRNO;

	if (!theirs) {
		return ours ? ours(domain, attributes) : 0;
	}
	their_id = theirs(rcap_nvtx_chain_translate_domain(domain),
	                  their_event(domain, attributes, &copy));
	return rcap_nvtx_chain_translate_started(ours ? ours(domain, attributes) : 0, their_id);
}

void rcap_nvtx_chain_core_domain_range_end(const void *domain, uint64_t id)
{
	end_fn *ours = RCAP_CHAIN_OURS(end_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_END);
	end_fn *theirs = RCAP_CHAIN_THEIRS(end_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_END);
	uint64_t their_id = 0;
	const bool is_known = rcap_nvtx_chain_translate_ended(&id, &their_id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, id);
	}
	if (theirs && is_known) {
		theirs(rcap_nvtx_chain_translate_domain(domain), their_id);
	}
}

int rcap_nvtx_chain_core_domain_range_push_ex(const void *domain,
                                              const struct rcap_nvtx_attributes *attributes)
{
	push_fn *ours = RCAP_CHAIN_OURS(push_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_PUSH_EX);
	push_fn *theirs = RCAP_CHAIN_THEIRS(push_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_PUSH_EX);
	struct rcap_chain_event copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain),
		       their_event(domain, attributes, &copy));
	}
	return ours ? ours(domain, attributes) : RCAP_NVTX_NO_TRACKING;
}

int rcap_nvtx_chain_core_domain_range_pop(const void *domain)
{
	pop_fn *ours = RCAP_CHAIN_OURS(pop_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_POP);
	pop_fn *theirs = RCAP_CHAIN_THEIRS(pop_fn, CORE2, RCAP_NVTX_DOMAIN_RANGE_POP);
	RCAP_CHAIN_KEEP_ERRNO;
	const int depth = ours ? ours(domain) : RCAP_NVTX_NO_TRACKING;

	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain));
	}
	return depth;
}

/*
 * Calls our function and the tool's to create an object that has a handle in a domain.
 *
 * @their_argument: the text or struct that describes the object, with the tool's handles.
 */
static const void *make(int module, unsigned int id, enum rcap_chain_kind kind, const void *domain,
                        const void *argument, const void *their_argument)
{
	make_fn *ours = RCAP_CHAIN_OURS(make_fn, module, id);
	make_fn *theirs = RCAP_CHAIN_THEIRS(make_fn, module, id);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *handle = ours ? ours(domain, argument) : NULL;

	if (!theirs) {
		return handle;
	}
	return rcap_nvtx_chain_translate_made(
		kind, handle, theirs(rcap_nvtx_chain_translate_domain(domain), their_argument));
}

static void destroy(int module, unsigned int id, enum rcap_chain_kind kind, const void *handle)
{
	handle_fn *ours = RCAP_CHAIN_OURS(handle_fn, module, id);
	handle_fn *theirs = RCAP_CHAIN_THEIRS(handle_fn, module, id);
	const void *their_handle;
	const bool is_known = rcap_nvtx_chain_translate_destroyed(kind, handle, &their_handle);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(handle);
	}
	if (theirs && is_known) {
		theirs(their_handle);
	}
}

const void *rcap_nvtx_chain_resources_create(const void *domain,
                                             const struct rcap_nvtx_resource_attributes *attributes)
{
	struct rcap_chain_copy copy;

	return make(CORE2, RCAP_NVTX_DOMAIN_RESOURCE_CREATE, RCAP_CHAIN_RESOURCE, domain,
	            attributes,
	            rcap_nvtx_chain_translate_attributes(RCAP_CHAIN_RESOURCE_ATTRIBUTES, attributes,
	                                                 &copy));
}

void rcap_nvtx_chain_resources_destroy(const void *resource)
{
	destroy(CORE2, RCAP_NVTX_DOMAIN_RESOURCE_DESTROY, RCAP_CHAIN_RESOURCE, resource);
}

static void name(unsigned int id, const void *domain, uint32_t category, const void *text)
{
	name_fn *ours = RCAP_CHAIN_OURS(name_fn, CORE2, id);
	name_fn *theirs = RCAP_CHAIN_THEIRS(name_fn, CORE2, id);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, category, text);
	}
	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain), category, text);
	}
}

void rcap_nvtx_chain_names_domain_category_a(const void *domain, uint32_t category,
                                             const char *text)
{
	name(RCAP_NVTX_DOMAIN_NAME_CATEGORY_A, domain, category, text);
}

void rcap_nvtx_chain_names_domain_category_w(const void *domain, uint32_t category,
                                             const wchar_t *text)
{
	name(RCAP_NVTX_DOMAIN_NAME_CATEGORY_W, domain, category, text);
}

const void *rcap_nvtx_chain_names_register_string_a(const void *domain, const char *text)
{
	return make(CORE2, RCAP_NVTX_DOMAIN_REGISTER_STRING_A, RCAP_CHAIN_STRING, domain, text,
	            text);
}

const void *rcap_nvtx_chain_names_register_string_w(const void *domain, const wchar_t *text)
{
	return make(CORE2, RCAP_NVTX_DOMAIN_REGISTER_STRING_W, RCAP_CHAIN_STRING, domain, text,
	            text);
}

static const void *create_domain(unsigned int id, const void *text)
{
	create_fn *ours = RCAP_CHAIN_OURS(create_fn, CORE2, id);
	create_fn *theirs = RCAP_CHAIN_THEIRS(create_fn, CORE2, id);
	RCAP_CHAIN_KEEP_ERRNO;
	const void *domain = ours ? ours(text) : NULL;

	if (!theirs) {
		return domain;
	}
	return rcap_nvtx_chain_translate_made(RCAP_CHAIN_DOMAIN, domain, theirs(text));
}

const void *rcap_nvtx_chain_names_create_domain_a(const char *text)
{
	return create_domain(RCAP_NVTX_DOMAIN_CREATE_A, text);
}

const void *rcap_nvtx_chain_names_create_domain_w(const wchar_t *text)
{
	return create_domain(RCAP_NVTX_DOMAIN_CREATE_W, text);
}

void rcap_nvtx_chain_names_destroy_domain(const void *domain)
{
	destroy(CORE2, RCAP_NVTX_DOMAIN_DESTROY, RCAP_CHAIN_DOMAIN, domain);
}

void rcap_nvtx_chain_names_initialize(const void *reserved)
{
	handle_fn *ours = RCAP_CHAIN_OURS(handle_fn, CORE2, RCAP_NVTX_INITIALIZE);
	handle_fn *theirs = RCAP_CHAIN_THEIRS(handle_fn, CORE2, RCAP_NVTX_INITIALIZE);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(reserved);
	}
	if (theirs) {
		theirs(reserved);
	}
}

const void *rcap_nvtx_chain_sync_create(const void *domain,
                                        const struct rcap_nvtx_sync_attributes *attributes)
{
	struct rcap_chain_copy copy;

	return make(SYNC, RCAP_NVTX_SYNC_USER_CREATE, RCAP_CHAIN_SYNC, domain, attributes,
	            rcap_nvtx_chain_translate_attributes(RCAP_CHAIN_SYNC_ATTRIBUTES, attributes,
	                                                 &copy));
}

void rcap_nvtx_chain_sync_destroy(const void *object)
{
	destroy(SYNC, RCAP_NVTX_SYNC_USER_DESTROY, RCAP_CHAIN_SYNC, object);
}

/* Calls both functions for a synchronisation object. @opens: true if the call begins something that
 * we measure. */
static void tell_sync(unsigned int id, const void *handle, bool opens)
{
	handle_fn *ours = RCAP_CHAIN_OURS(handle_fn, SYNC, id);
	handle_fn *theirs = RCAP_CHAIN_THEIRS(handle_fn, SYNC, id);
	const void *their_handle = rcap_nvtx_chain_translate_handle(RCAP_CHAIN_SYNC, handle);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours && !opens) {
		ours(handle);
	}
	if (theirs) {
		theirs(their_handle);
	}
	if (ours && opens) {
		ours(handle);
	}
}

void rcap_nvtx_chain_sync_acquire_start(const void *object)
{
	tell_sync(RCAP_NVTX_SYNC_USER_ACQUIRE_START, object, true);
}

void rcap_nvtx_chain_sync_acquire_failed(const void *object)
{
	tell_sync(RCAP_NVTX_SYNC_USER_ACQUIRE_FAILED, object, false);
}

void rcap_nvtx_chain_sync_acquire_success(const void *object)
{
	tell_sync(RCAP_NVTX_SYNC_USER_ACQUIRE_SUCCESS, object, false);
}

void rcap_nvtx_chain_sync_releasing(const void *object)
{
	tell_sync(RCAP_NVTX_SYNC_USER_RELEASING, object, false);
}
