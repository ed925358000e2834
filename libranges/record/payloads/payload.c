/* SPDX-License-Identifier: MIT */
/* An event's payloads, one by one. */
#include "libranges/record/payloads/payload.h"

#include <endian.h>
#include <string.h>

#include "format/wire.h"
#include "libranges/base/memory.h"
#include "libranges/process/oddity.h"
#include "libranges/record/payloads/payload-walk.h"
#include "libranges/base/peek.h"
#include "libranges/record/payloads/schemas.h"

/* The memory after the detail in the scratch: followed addresses, then offsets of entries, then the
 * array. */
#define SEEN_OFF    (RCAP_ARGS_MAX_BYTES + 64u)
#define PLACES_OFF  (SEEN_OFF + RCAP_PAYLOAD_MAX_PIECES * sizeof(struct rcap_seen))
#define ARRAY_OFF   (PLACES_OFF + PLACES * sizeof(uint32_t))
#define PLACES      8192u
#define ARRAY_BYTES (RCAP_PAYLOAD_MAX_COUNT * sizeof(struct rcap_nvtx_payload_data))
#define MAX_STEPS   65536u
#define BIN_BYTES   5u
/* Bytes for what precedes a small payload, and for a word that put_number() may write beyond its
 * end. */
#define PLAIN_BYTES 48u
/* If an event has at most this many payloads, their array is read directly, not through the
 * kernel. */
#define FEW 4u

_Static_assert(ARRAY_OFF + ARRAY_BYTES <= RCAP_SCRATCH_BYTES, "there is room for the walk");

size_t rcap_payload_limit(void)
{
	return rcap_process.config.payload_max;
}

/* Returns the bytes that one more bin may have in the pack. */
static size_t room_of(const struct rlog_pack *pack)
{
	const size_t left = pack->capacity - pack->used;

	return left < BIN_BYTES ? 0 : left - BIN_BYTES;
}

/* Reads memory through the kernel. Return: number of bytes that could be read. */
static size_t add_untrusted(struct rlog_pack *pack, const void *bytes, size_t count)
{
	const size_t opened = rlog_pack_open_bin(pack, count);
	size_t got;

	if (pack->full) {
		return 0;
	}
	got = rcap_peek_bytes(pack->bytes + pack->used, bytes, count);
	rlog_pack_close_bin(pack, opened, (uint32_t) got);
	return got;
}

bool rcap_payload_add_bytes(struct rlog_pack *pack, const void *bytes, size_t count, size_t limit)
{
	const size_t room = room_of(pack);
	size_t wanted = count < limit ? count : limit;

	wanted = wanted < room ? wanted : room;
	if (wanted < count) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
	}
	if (add_untrusted(pack, bytes, wanted) < wanted) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return false;
	}
	return wanted == count;
}

/* What is known about a payload before it is copied. */
struct subject {
	const struct rcap_schema *schema; /* NULL: a predefined type, or unknown */
	struct rlog_schema_shape shape;
	bool is_known;
};

static struct subject look_up(uint32_t domain, const struct rcap_nvtx_payload_data *data)
{
	struct subject subject = { 0 };

	subject.schema =
		rcap_schemas_find(domain, data->schema_id, &subject.shape, &subject.is_known);
	return subject;
}

static bool has_pointers(const struct subject *subject)
{
	return subject->schema && subject->schema->has_pointers;
}

/* True if the payload may be read directly, because it is certain that it exists. */
static bool is_trusted(const struct subject *subject, const struct rcap_nvtx_payload_data *data,
                       size_t count)
{
	const uint64_t size = subject->shape.size;

	return subject->is_known && count <= RCAP_PAYLOAD_TRUSTED_BYTES &&
	       rcap_memory_is_readable(data->payload, count) &&
	       (size == RLOG_SCHEMA_VARIES || size == 0 || data->size % size == 0 ||
	        data->size == SIZE_MAX);
}

/* Packs a text whose length the program did not give. Return: number of bytes packed. */
static size_t add_text(struct rlog_pack *pack, const struct rcap_nvtx_payload_data *data,
                       const struct rcap_walk *walk)
{
	const size_t unit = rlog_schema_unit_bytes(data->schema_id);
	size_t max = walk->left < RCAP_PAYLOAD_TEXT_BYTES ? walk->left : RCAP_PAYLOAD_TEXT_BYTES;
	size_t opened;
	size_t length = 0;

	max = max < room_of(pack) ? max : room_of(pack);
	opened = rlog_pack_open_bin(pack, max);
	if (pack->full) {
		return 0;
	}
	if (!rcap_peek_text(pack->bytes + pack->used, max, data->payload, unit, &length)) {
		rcap_oddity_count(length == max ? RLOG_ODDITY_CUT_PAYLOAD
		                                : RLOG_ODDITY_BAD_POINTER);
	}
	rlog_pack_close_bin(pack, opened, (uint32_t) length);
	return length;
}

/* Packs the bytes of a payload. Return: number of bytes packed. */
static size_t add_body(struct rcap_walk *walk, const struct subject *subject,
                       const struct rcap_nvtx_payload_data *data)
{
	struct rlog_pack *const pack = walk->pack;
	const size_t room = walk->left < room_of(pack) ? walk->left : room_of(pack);
	size_t count = data->size;
	size_t got;

	if (count == SIZE_MAX && rlog_schema_is_text(data->schema_id)) {
		return add_text(pack, data, walk);
	}
	if (count == SIZE_MAX) {
		/* If the program gave no size, only a schema has it. */
		count = subject->is_known && subject->shape.size != RLOG_SCHEMA_VARIES
		                ? subject->shape.size
		                : 0;
		if (count == 0) {
			rcap_oddity_count(RLOG_ODDITY_BAD_PAYLOAD);
		}
	}
	if (count > room) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
		count = room;
	}
	if (is_trusted(subject, data, count)) {
		rlog_pack_bin(pack, data->payload, count);
		return count;
	}
	if (!subject->is_known) {
		rcap_oddity_count(RLOG_ODDITY_UNKNOWN_SCHEMA);
	}
	got = add_untrusted(pack, data->payload, count);
	if (got < count) {
		rcap_oddity_count(data->payload ? RLOG_ODDITY_BAD_POINTER
		                                : RLOG_ODDITY_BAD_PAYLOAD);
	}
	return got;
}

/* Stores a msgpack number in its shortest form. Needs nine bytes of room. Return: the place after
 * it. */
static inline uint8_t *put_number(uint8_t *at, uint64_t number)
{
	unsigned int bytes = 8;

	if (number < 0x80) {
		*at = (uint8_t) number;
		return at + 1;
	}
	bytes = number <= UINT8_MAX ? 1 : number <= UINT16_MAX ? 2 : number <= UINT32_MAX ? 4 : 8;
	*at++ = (uint8_t) (0xCC + (bytes > 1) + (bytes > 2) + (bytes > 4));
	number = htobe64(number << (64 - 8 * bytes));
	memcpy(at, &number, sizeof(number));
	return at + bytes;
}

/*
 * Packs a payload of the usual kind without a function call for each number: its schema is known,
 * and it is small, readable and without addresses. Return: false for other payloads.
 */
static bool add_plain(struct rcap_walk *walk, const struct subject *subject,
                      const struct rcap_nvtx_payload_data *data, bool is_addressed)
{
	struct rlog_pack *const pack = walk->pack;
	const size_t count = data->size;
	uint8_t *at = pack->bytes + pack->used;

	/* A payload of 0 bytes may have the address NULL, so it is not handled here. */
	if (count - 1 >= UINT8_MAX || count > walk->left || has_pointers(subject) ||
	    pack->capacity - pack->used < PLAIN_BYTES + UINT8_MAX ||
	    !is_trusted(subject, data, count)) {
		return false;
	}
	*at++ = 0x94; /* msgpack: array of four */
	at = put_number(at, data->schema_id);
	at = put_number(at, count);
	at = put_number(at, is_addressed ? (uintptr_t) data->payload : 0);
	*at++ = 0xC4; /* msgpack: bin with a length of one byte */
	*at++ = (uint8_t) count;
	if (count > 0) {
		memcpy(at, data->payload, count); /* NULL is possible if it has 0 bytes */
	}
	pack->used = (size_t) (at - pack->bytes) + count;
	walk->left -= count;
	return true;
}

/*
 * Packs [schema id, size, address, bytes, …].
 *
 * @is_addressed: another payload may have an address in this one.
 */
static void add_payload(struct rcap_walk *walk, const struct subject *subject,
                        const struct rcap_nvtx_payload_data *data, bool is_addressed)
{
	struct rlog_pack *const pack = walk->pack;
	const bool is_open = has_pointers(subject);
	struct rcap_span span;
	size_t opened = 0;

	if (add_plain(walk, subject, data, is_addressed)) {
		return;
	}
	if (is_open) {
		opened = rlog_pack_open_array(pack);
	} else {
		rlog_pack_array(pack, 4);
	}
	rlog_pack_uint(pack, data->schema_id);
	rlog_pack_uint(pack, data->size);
	rlog_pack_uint(pack, is_addressed ? (uintptr_t) data->payload : 0);
	span.count = add_body(walk, subject, data);
	span.bytes = pack->bytes + (pack->used - span.count);
	walk->left -= span.count;
	if (is_open) {
		walk->elements = 4;
		if (!pack->full) {
			/* The bytes need no second copy if an address leads back here. */
			rcap_payload_walk_skip(walk, (uintptr_t) data->payload, span.count);
			rcap_payload_walk(walk, subject->schema, span);
		}
		rlog_pack_close_array(pack, opened, (uint16_t) walk->elements);
	}
}

/* Counts once for the event, not once for each payload or address. */
static void count_oddities(const struct rcap_walk *walk)
{
	if (walk->has_bad_pointer) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
	}
	if (walk->is_cut) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
	}
}

static void begin_walk(struct rcap_walk *walk, struct rcap_thread *thread, struct rlog_pack *pack,
                       uint32_t domain)
{
	*walk = (struct rcap_walk){ .pack = pack, .domain = domain, .left = rcap_payload_limit() };
	walk->steps = MAX_STEPS;
	if (!pack->full) {
		walk->seen = (struct rcap_seen *) (void *) (thread->scratch + SEEN_OFF);
		walk->places = (uint32_t *) (void *) (thread->scratch + PLACES_OFF);
		walk->places_left = PLACES;
	}
}

static void finish(const struct rcap_walk *walk, struct rcap_event *event)
{
	count_oddities(walk);
	if (walk->pack->full) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
		return;
	}
	event->data = walk->pack->bytes;
	event->data_bytes = walk->pack->used;
}

static struct rlog_pack begin_pack(struct rcap_thread *thread)
{
	struct rlog_pack pack = rcap_args_begin(thread, 0);

	pack.used = 0;
	return pack;
}

/* True if any payload has addresses. They may lead into another payload. */
static bool is_any_open(const struct rcap_walk *walk)
{
	for (size_t i = 0; i < walk->payload_count; i++) {
		const struct subject subject = look_up(walk->domain, &walk->payloads[i]);

		if (has_pointers(&subject)) {
			return true;
		}
	}
	return false;
}

void rcap_payload_pack_one(struct rcap_thread *thread, const struct rcap_nvtx_payload_data *data,
                           struct rcap_event *event)
{
	const struct subject subject = look_up(event->domain, data);
	struct rlog_pack pack = begin_pack(thread);
	struct rcap_walk walk;

	begin_walk(&walk, thread, &pack, event->domain);
	walk.payloads = data;
	walk.payload_count = 1;
	if (!pack.full) {
		add_payload(&walk, &subject, data, has_pointers(&subject));
	}
	finish(&walk, event);
}

/*
 * Copies the program's array. Reads it directly if it is short and its address is plausible;
 * otherwise reads it into the scratch through the kernel.
 *
 * @few: memory for a short array. Return: the copy. *count: number of elements that could be read.
 */
static const struct rcap_nvtx_payload_data *take_array(struct rcap_thread *thread,
                                                       const struct rcap_nvtx_payload_data *data,
                                                       size_t *count,
                                                       struct rcap_nvtx_payload_data *few)
{
	struct rcap_nvtx_payload_data *many =
		(struct rcap_nvtx_payload_data *) (void *) (thread->scratch + ARRAY_OFF);
	const size_t wanted = *count;

	if (wanted <= FEW && rcap_memory_is_readable(data, wanted * sizeof(*few))) {
		memcpy(few, data, wanted * sizeof(*few));
		return few;
	}
	*count = wanted < RCAP_PAYLOAD_MAX_COUNT ? wanted : RCAP_PAYLOAD_MAX_COUNT;
	*count = rcap_peek_bytes(many, data, *count * sizeof(*many)) / sizeof(*many);
	if (*count < wanted) {
		rcap_oddity_count(*count == RCAP_PAYLOAD_MAX_COUNT ? RLOG_ODDITY_CUT_PAYLOAD
		                                                   : RLOG_ODDITY_BAD_PAYLOAD);
	}
	return many;
}

void rcap_payload_pack(struct rcap_thread *thread, const struct rcap_nvtx_payload_data *data,
                       size_t count, struct rcap_event *event)
{
	struct rcap_nvtx_payload_data few[FEW];
	struct subject subject;
	struct rlog_pack pack;
	struct rcap_walk walk;
	bool is_open;

	if (count == 0) {
		return;
	}
	pack = begin_pack(thread);
	if (pack.full) {
		rcap_oddity_count(RLOG_ODDITY_CUT_PAYLOAD);
		return;
	}
	begin_walk(&walk, thread, &pack, event->domain);
	walk.payloads = take_array(thread, data, &count, few);
	walk.payload_count = count;
	if (count == 0) {
		return;
	}
	rlog_pack_array(&pack, count);
	subject = look_up(event->domain, &walk.payloads[0]);
	is_open = has_pointers(&subject) || (count > 1 && is_any_open(&walk));
	for (size_t i = 0; i < count; i++) {
		if (i > 0) {
			subject = look_up(event->domain, &walk.payloads[i]);
		}
		add_payload(&walk, &subject, &walk.payloads[i], is_open);
	}
	finish(&walk, event);
}
