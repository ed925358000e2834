/* SPDX-License-Identifier: MIT */
/* Follows the addresses in a payload, and copies what is there. */
#ifndef RCAP_PAYLOAD_WALK_H
#define RCAP_PAYLOAD_WALK_H

#include "libranges/record/payload.h"
#include "libranges/record/schemas.h"

/* A run of bytes that we have. */
struct rcap_span {
	const uint8_t *bytes;
	size_t count;
};

/* An address that was followed. */
struct rcap_seen {
	uint64_t address;
	uint64_t bytes;
};

/* The work on one event. */
struct rcap_walk {
	struct rlog_pack *pack;
	uint32_t domain;
	size_t left;       /* bytes that may still be copied */
	uint32_t elements; /* of the array of the present payload */
	uint32_t steps;    /* elements that may still be looked at */
	bool has_bad_pointer;
	bool is_cut;
	const struct rcap_nvtx_payload_data *payloads;
	size_t payload_count;
	struct rcap_seen *seen; /* RCAP_PAYLOAD_MAX_PIECES */
	uint32_t seen_count;
	uint32_t *places; /* offsets of entries found in a dynamic schema */
	uint32_t places_left;
};

/*
 * Adds a pair "address, bytes" to the pack for each address that a payload holds.
 *
 * @schema: of the payload. @span: its bytes, that are not the program's.
 */
void rcap_payload_walk(struct rcap_walk *walk, const struct rcap_schema *schema,
                       struct rcap_span span);

/* Notes that bytes from an address on need not be followed. */
void rcap_payload_walk_skip(struct rcap_walk *walk, uint64_t address, uint64_t bytes);

#endif
