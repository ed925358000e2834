/* SPDX-License-Identifier: MIT */
/* Sync objects: waiting and holding, one record per call. */
#include "libranges/nvtx/nvtx-calls.h"

#include <errno.h>

#include "format/wire.h"
#include "libranges/base/memory.h"
#include "libranges/record/payloads/args.h"
#include "libranges/nvtx/nvtx-text.h"
#include "libranges/process/oddity.h"
#include "libranges/record/record.h"
#include "libranges/record/payloads/tokens.h"

#define FUNCTION(id) ((uint32_t) RCAP_NVTX_MODULE_SYNC << 8 | (uint32_t) (id))

const void *rcap_nvtx_sync_create(const void *domain,
                                  const struct rcap_nvtx_sync_attributes *attributes)
{
	struct rcap_token wanted = { .domain = rcap_handles_find_domain(domain) };
	struct rcap_thread *thread = rcap_thread_enter_to_define();
	const struct rcap_token *token;
	struct rcap_nvtx_text text;
	const int saved = errno;
	struct rlog_pack args;
	bool lost = false;

	if (!thread) {
		return NULL;
	}
	if (wanted.domain >= RCAP_DOMAIN_OFF) {
		token = rcap_tokens_make(RCAP_TOKEN_SYNC, &wanted);
		rcap_thread_leave(thread);
		return token;
	}
	if (!rcap_memory_can_be(attributes) || attributes->size < sizeof(*attributes)) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
	} else if (rcap_nvtx_text_take_message(&text, attributes->message_type,
	                                       attributes->message)) {
		wanted.name = rcap_handles_make(RCAP_HANDLE_NAME, wanted.domain, text.bytes,
		                                text.length, text.full_length);
	}
	token = rcap_tokens_make(RCAP_TOKEN_SYNC, &wanted);
	if (!token) {
		rcap_oddity_count(RLOG_ODDITY_NO_HANDLE);
	}
	args = rcap_args_begin(thread, 1);
	rlog_pack_uint(&args, token ? token->id : 0);
	rcap_args_record(thread, FUNCTION(RCAP_NVTX_SYNC_USER_CREATE), wanted.domain,
	                 rcap_tokens_name(&wanted, &lost), &args);
	errno = saved;
	rcap_thread_leave(thread);
	return token;
}

void rcap_nvtx_sync_destroy(const void *object)
{
	rcap_tokens_end(object, RCAP_TOKEN_SYNC, FUNCTION(RCAP_NVTX_SYNC_USER_DESTROY));
}

/* Records a call. @is_closing: true if the clock must be read before our own work. */
static void record(const void *object, uint32_t op, bool is_closing)
{
	const struct rcap_token *token = rcap_tokens_check(object, RCAP_TOKEN_SYNC);
	struct rcap_event event = { .op = op };
	struct rcap_thread *thread;
	bool lost = false;

	if (token && token->domain >= RCAP_DOMAIN_OFF) {
		return;
	}
	thread = rcap_thread_enter();
	if (!thread) {
		return;
	}
	if (token) {
		event.domain = token->domain;
		event.id = token->id;
		event.name = rcap_tokens_name(token, &lost);
	} else {
		rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
	}
	if (is_closing) {
		rcap_record_closing(thread, &event);
	} else {
		rcap_record_event(thread, &event);
	}
	rcap_thread_leave(thread);
}

void rcap_nvtx_sync_acquire_start(const void *object)
{
	record(object, RLOG_OP_ACQUIRE_START, false);
}

void rcap_nvtx_sync_acquire_failed(const void *object)
{
	record(object, RLOG_OP_ACQUIRE_FAILED, true);
}

void rcap_nvtx_sync_acquire_success(const void *object)
{
	record(object, RLOG_OP_ACQUIRE_SUCCESS, true);
}

void rcap_nvtx_sync_releasing(const void *object)
{
	record(object, RLOG_OP_RELEASING, true);
}
