/* SPDX-License-Identifier: MIT */
/* Copies payloads, and what they point to, into an event's data (doc/format.md, section 6). */
#ifndef RCAP_PAYLOAD_H
#define RCAP_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/record/payloads/args.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/record/record.h"

/* Most payloads of one event. */
#define RCAP_PAYLOAD_MAX_COUNT 256u
/* A larger payload is read through the kernel, even if its schema is known. */
#define RCAP_PAYLOAD_TRUSTED_BYTES 4096u
/* Most bytes of a text, or of another zero-terminated array, that a payload points to. */
#define RCAP_PAYLOAD_TEXT_BYTES 4096u
/* Addresses in copied data are followed down to this depth, and so many addresses of an event in
 * all. */
#define RCAP_PAYLOAD_MAX_DEPTH  8u
#define RCAP_PAYLOAD_MAX_PIECES 1024u

/*
 * Packs the payloads of an event, but at most RANGES_PAYLOAD_MAX bytes of them. If a payload has a
 * known schema and the right size, it is copied directly after its pages were found readable
 * (memory.h). Other payloads, and everything that payloads point to, are read through the kernel
 * (peek.h). Memory that can't be read is left out. Parts that make no sense are counted.
 *
 * @data, @count: the program's.
 * @event: gets `data`, which is in the thread's scratch and valid until the next detail is begun.
 * Context: between rcap_thread_enter() and leave; no lock, no allocation except the scratch; no
 * system call for payloads without addresses; errno is kept.
 */
void rcap_payload_pack(struct rcap_thread *thread, const struct rcap_nvtx_payload_data *data,
                       size_t count, struct rcap_event *event);

/* Packs the payload of a counter's sample: one payload without the array around it. */
void rcap_payload_pack_one(struct rcap_thread *thread, const struct rcap_nvtx_payload_data *data,
                           struct rcap_event *event);

/*
 * Appends bytes of the program to a detail as one `bin`, but at most `limit` bytes.
 *
 * Return: true if all could be read; otherwise it is counted.
 */
bool rcap_payload_add_bytes(struct rlog_pack *pack, const void *bytes, size_t count, size_t limit);

/* Returns the most bytes that one event may copy: RANGES_PAYLOAD_MAX. */
size_t rcap_payload_limit(void);

#endif
