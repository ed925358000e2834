/* SPDX-License-Identifier: MIT */
/* Shared by calls of extensions: a thread, texts, semantics, a definition and a call. */
#include "libranges/nvtx/nvtx-ext.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/record/names/names.h"
#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/record/names/handles.h"
#include "libranges/process/oddity.h"
#include "libranges/base/peek.h"

/* Bytes before a detail, for the head of the call's arguments and the id. */
#define HEAD_BYTES 16u
#define FIXARRAY   0x90u
/* At most this many semantics of one definition are read, because a list may be a loop. */
#define MAX_SEMANTICS 16u

struct rcap_thread *rcap_nvtx_ext_begin(const void *domain, uint32_t *id)
{
	*id = rcap_handles_find_domain(domain);
	return *id >= RCAP_DOMAIN_OFF ? NULL : rcap_thread_enter();
}

struct rcap_thread *rcap_nvtx_ext_begin_definition(const void *domain, uint32_t *id)
{
	*id = rcap_handles_find_domain(domain);
	return *id >= RCAP_DOMAIN_OFF ? NULL : rcap_thread_enter_to_define();
}

struct rlog_pack rcap_nvtx_ext_begin_detail(struct rcap_thread *thread, unsigned int elements)
{
	struct rlog_pack pack = rcap_args_begin(thread, 0);

	if (!pack.full) {
		pack.bytes += HEAD_BYTES - 1;
		pack.capacity -= HEAD_BYTES;
		pack.used = 0;
		rlog_pack_array(&pack, elements);
	}
	return pack;
}

/* Puts the id before the detail, which was copied already. Together they are the call's
 * arguments. */
static void record(struct rcap_thread *thread, const struct rcap_def *wanted, uint64_t id,
                   struct rlog_pack *detail, uint32_t function)
{
	uint8_t bytes[HEAD_BYTES + RLOG_PACK_SLACK];
	struct rlog_pack head;
	uint32_t name = 0;
	bool lost = false;

	if (wanted->name) {
		name = rcap_names_intern(wanted->name, wanted->name_bytes, 0, NULL, &lost);
	}
	rlog_pack_init(&head, bytes, HEAD_BYTES);
	rlog_pack_array(&head, wanted->detail ? (detail->bytes[0] & 0xFu) + 1u : 1u);
	rlog_pack_uint(&head, id);
	if (wanted->detail) {
		detail->bytes -= head.used - 1;
		detail->used += head.used - 1;
		memcpy(detail->bytes, head.bytes, head.used);
		head = *detail;
	}
	rcap_args_record(thread, function, wanted->domain, name, &head);
}

const struct rcap_def *rcap_nvtx_ext_register(struct rcap_thread *thread,
                                              const struct rcap_def *wanted,
                                              struct rlog_pack *detail, uint32_t function,
                                              bool is_shared, uint64_t *id)
{
	struct rcap_def copy = *wanted;
	const struct rcap_def *def;

	if (!detail->full && detail->used <= RLOG_MAX_STRING_BYTES &&
	    detail->bytes[0] != FIXARRAY) {
		copy.detail = detail->bytes;
		copy.detail_bytes = (uint32_t) detail->used;
	} else {
		rcap_oddity_count(RLOG_ODDITY_BAD_SCHEMA);
	}
	def = rcap_defs_add(&copy, is_shared, id);
	if (!def) {
		rcap_oddity_count(RLOG_ODDITY_NO_HANDLE);
	}
	record(thread, &copy, *id, detail, function);
	return def;
}

bool rcap_nvtx_ext_read(void *to, const void *from, size_t bytes)
{
	if (rcap_peek_bytes(to, from, bytes) == bytes) {
		return true;
	}
	rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
	memset(to, 0, bytes);
	return false;
}

const char *rcap_nvtx_ext_read_text(const char *text, char *buffer, uint32_t *bytes)
{
	size_t length = 0;
	bool is_ended;

	*bytes = 0;
	if (!text) {
		return NULL;
	}
	is_ended = rcap_peek_text(buffer, RCAP_NVTX_EXT_TEXT_BYTES, text, 1, &length);
	if (!is_ended && length < RCAP_NVTX_EXT_TEXT_BYTES) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return NULL;
	}
	*bytes = (uint32_t) (is_ended ? length - 1 : length);
	return buffer;
}

void rcap_nvtx_ext_add_text(struct rlog_pack *pack, const char *text)
{
	char buffer[RCAP_NVTX_EXT_TEXT_BYTES];
	uint32_t bytes;
	const char *const copy = rcap_nvtx_ext_read_text(text, buffer, &bytes);

	if (copy) {
		rlog_pack_text(pack, copy, bytes);
	} else {
		rlog_pack_nil(pack);
	}
}

/* Packs a limit of a counter, which has one of three types. */
static void add_limit(struct rlog_pack *pack, int64_t type, uint64_t bits)
{
	switch (type) {
	case RCAP_NVTX_COUNTER_LIMIT_I64:
		rlog_pack_int(pack, (int64_t) bits);
		return;
	case RCAP_NVTX_COUNTER_LIMIT_F64:
		rlog_pack_real(pack, bits);
		return;
	default:
		rlog_pack_uint(pack, bits);
		return;
	}
}

static void add_counter_semantics(struct rlog_pack *pack,
                                  const struct rcap_nvtx_semantics_counter *counter)
{
	rlog_pack_array(pack, 9);
	rlog_pack_uint(pack, counter->header.semantic_id);
	rlog_pack_uint(pack, counter->header.version);
	rlog_pack_uint(pack, counter->flags);
	rcap_nvtx_ext_add_text(pack, counter->unit);
	rlog_pack_uint(pack, counter->unit_scale_numerator);
	rlog_pack_uint(pack, counter->unit_scale_denominator);
	rlog_pack_int(pack, counter->limit_type);
	add_limit(pack, counter->limit_type, counter->min.u64);
	add_limit(pack, counter->limit_type, counter->max.u64);
}

/* Packs one of the semantics. @bytes: the part of the structure that can be read. */
static void add_one(struct rlog_pack *pack, const struct rcap_nvtx_semantics_counter *any,
                    size_t bytes)
{
	const bool has_id = bytes >= sizeof(struct rcap_nvtx_semantics_scope);

	if (any->header.semantic_id == RCAP_NVTX_SEMANTIC_COUNTERS && bytes >= sizeof(*any) &&
	    any->header.version == RCAP_NVTX_SEMANTICS_COUNTER_VERSION) {
		add_counter_semantics(pack, any);
		return;
	}
	if (has_id && (any->header.semantic_id == RCAP_NVTX_SEMANTIC_SCOPE ||
	               any->header.semantic_id == RCAP_NVTX_SEMANTIC_TIME)) {
		rlog_pack_array(pack, 3);
		rlog_pack_uint(pack, any->header.semantic_id);
		rlog_pack_uint(pack, any->header.version);
		rlog_pack_uint(pack, any->flags); /* the id of the scope or time domain is where a
		                                   * counter has its flags */
		return;
	}
	rlog_pack_array(pack, 2);
	rlog_pack_uint(pack, any->header.semantic_id);
	rlog_pack_uint(pack, any->header.version);
}

void rcap_nvtx_ext_add_semantics(struct rlog_pack *pack, const struct rcap_nvtx_semantics *list)
{
	struct rcap_nvtx_semantics_counter any;
	uint16_t count = 0;
	size_t opened;

	if (!list) {
		rlog_pack_nil(pack);
		return;
	}
	opened = rlog_pack_open_array(pack);
	for (; list && count < MAX_SEMANTICS; list = any.header.next) {
		size_t bytes;

		memset(&any, 0, sizeof(any));
		if (!rcap_nvtx_ext_read(&any.header, list, sizeof(any.header)) ||
		    any.header.struct_size < sizeof(any.header)) {
			break;
		}
		bytes = any.header.struct_size < sizeof(any) ? any.header.struct_size : sizeof(any);
		if (!rcap_nvtx_ext_read(&any, list, bytes)) {
			break;
		}
		add_one(pack, &any, bytes);
		count++;
	}
	rlog_pack_close_array(pack, opened, count);
}
