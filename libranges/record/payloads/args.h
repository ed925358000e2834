/* SPDX-License-Identifier: MIT */
/* Packs the arguments of a call as a detail of the log: a msgpack array in the thread's own
 * memory. */
#ifndef RCAP_ARGS_H
#define RCAP_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/columns/pack.h"
#include "libranges/record/thread.h"

/* Most bytes of one detail. The code that packs a call leaves out the rest, and says so in the
 * detail. */
#define RCAP_ARGS_MAX_BYTES 131072u

/*
 * Starts a detail of `count` elements, to be filled with rlog_pack_*(). One at a time per thread.
 *
 * Without memory the pack takes nothing: `full` is set from the start.
 * Context: between rcap_thread_enter() and rcap_thread_leave(); errno is kept; the first time in a
 * thread one mmap.
 */
struct rlog_pack rcap_args_begin(struct rcap_thread *thread, size_t count);

/* Most bytes of a text among arguments. */
#define RCAP_ARGS_TEXT_BYTES 1024u

/*
 * Writes an event of op call: doc/format.md section 14.
 *
 * @function: its number there.
 * @args: from rcap_args_begin(), filled; NULL: the function has none. If it is full, the arguments
 * are left out.
 * Context: as above.
 */
void rcap_args_record(struct rcap_thread *thread, uint32_t function, uint32_t domain, uint32_t name,
                      const struct rlog_pack *args);

#endif
