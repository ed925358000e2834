/* SPDX-License-Identifier: MIT */
/* Resources. */
#include "libranges/nvtx/nvtx-calls.h"

#include <errno.h>

#include "libranges/record/payloads/args.h"
#include "libranges/nvtx/nvtx-text.h"
#include "libranges/process/oddity.h"
#include "libranges/base/memory.h"
#include "libranges/record/payloads/tokens.h"

#define FUNCTION(id) ((uint32_t) RCAP_NVTX_MODULE_CORE2 << 8 | (uint32_t) (id))
#define HAS_FIELD(attributes, field) \
	((attributes)->size >=       \
	 offsetof(struct rcap_nvtx_resource_attributes, field) + sizeof((attributes)->field))

static struct rcap_token read_attributes(uint32_t domain,
                                         const struct rcap_nvtx_resource_attributes *attributes)
{
	struct rcap_token wanted = { .domain = domain };
	struct rcap_nvtx_text text;

	const bool is_there = rcap_memory_can_be(attributes);

	if (!is_there || !HAS_FIELD(attributes, message)) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		if (!is_there) {
			return wanted;
		}
	}
	if (HAS_FIELD(attributes, identifier)) {
		wanted.type = (uint32_t) attributes->identifier_type;
		wanted.identifier = attributes->identifier;
	}
	if (HAS_FIELD(attributes, message) &&
	    rcap_nvtx_text_take_message(&text, attributes->message_type, attributes->message)) {
		wanted.name = rcap_handles_make(RCAP_HANDLE_NAME, wanted.domain, text.bytes,
		                                text.length, text.full_length);
	}
	return wanted;
}

const void *rcap_nvtx_resources_create(const void *domain,
                                       const struct rcap_nvtx_resource_attributes *attributes)
{
	struct rcap_thread *thread = rcap_thread_enter_to_define();
	struct rcap_token wanted = { .domain = rcap_handles_find_domain(domain) };
	const struct rcap_token *token;
	const int saved = errno;
	struct rlog_pack args;
	bool lost = false;

	if (!thread) {
		return NULL;
	}
	if (wanted.domain >= RCAP_DOMAIN_OFF) {
		token = rcap_tokens_make(RCAP_TOKEN_RESOURCE, &wanted);
		rcap_thread_leave(thread);
		return token;
	}
	wanted = read_attributes(wanted.domain, attributes);
	token = rcap_tokens_make(RCAP_TOKEN_RESOURCE, &wanted);
	if (!token) {
		rcap_oddity_count(RLOG_ODDITY_NO_HANDLE);
	}
	args = rcap_args_begin(thread, 3);
	rlog_pack_uint(&args, token ? token->id : 0);
	rlog_pack_uint(&args, wanted.type);
	rlog_pack_uint(&args, wanted.identifier);
	rcap_args_record(thread, FUNCTION(RCAP_NVTX_DOMAIN_RESOURCE_CREATE), wanted.domain,
	                 rcap_tokens_name(&wanted, &lost), &args);
	/* CUPTI's number of the object, as for objects that are named. */
	if (token) {
		rcap_process_name_object(wanted.type, wanted.identifier);
	}
	errno = saved;
	rcap_thread_leave(thread);
	return token;
}

void rcap_nvtx_resources_destroy(const void *resource)
{
	rcap_tokens_end(resource, RCAP_TOKEN_RESOURCE, FUNCTION(RCAP_NVTX_DOMAIN_RESOURCE_DESTROY));
}
