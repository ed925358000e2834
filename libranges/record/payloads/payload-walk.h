/* SPDX-License-Identifier: MIT */
/* Follows the addresses in a payload and copies their targets. */
#ifndef RCAP_PAYLOAD_WALK_H
#define RCAP_PAYLOAD_WALK_H

#include "libranges/record/payloads/payload.h"
#include "libranges/record/payloads/schemas.h"

/* Bytes in our own memory. */
struct rcap_span {
	const uint8_t *bytes;
	size_t count;
};

/* An address that was followed, and the bytes copied from there. */
struct rcap_seen {
	uint64_t address;
	uint64_t bytes;
};

/* State of the walk for one event. */
struct rcap_walk {
	struct rlog_pack *pack;
	uint32_t domain;
	size_t left;       /* bytes that may still be copied */
	uint32_t elements; /* length of the array of the present payload */
	uint32_t steps;    /* number of elements that may still be visited */
	bool has_bad_pointer;
	bool is_cut;
	const struct rcap_nvtx_payload_data *payloads;
	size_t payload_count;
	struct rcap_seen *seen; /* room for RCAP_PAYLOAD_MAX_PIECES */
	uint32_t seen_count;
	uint32_t *places; /* room for offsets of entries of dynamic schemas */
	uint32_t places_left;
};

/*
 * Adds a pair "address, bytes" to the pack for each address in a payload.
 *
 * @schema: of the payload. @span: a copy of the payload's bytes, not the program's memory.
 */
void rcap_payload_walk(struct rcap_walk *walk, const struct rcap_schema *schema,
                       struct rcap_span span);

/* Notes that bytes at an address must not be followed. */
void rcap_payload_walk_skip(struct rcap_walk *walk, uint64_t address, uint64_t bytes);

#endif
