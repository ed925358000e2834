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

/* Most bytes of one detail. If a call's arguments are longer, the code that packs them leaves out
 * the rest, and says so in the detail. */
#define RCAP_ARGS_MAX_BYTES 131072u

/*
 * Begins a detail of `count` elements, which the caller fills by rlog_pack_*(). Each thread has one
 * at a time.
 *
 * Without memory the pack takes nothing, and `full` is set at once.
 * Context: between rcap_thread_enter() and rcap_thread_leave(); errno is kept; one mmap at the
 * first time in a thread.
 */
struct rlog_pack rcap_args_begin(struct rcap_thread *thread, size_t count);

/* Most bytes of a text in arguments. */
#define RCAP_ARGS_TEXT_BYTES 1024u

/*
 * Writes an event of op call.
 *
 * @function: number of the function in doc/format.md section 14.
 * @args: from rcap_args_begin(), filled; NULL if the function has no arguments. If the pack is
 * full, the arguments are left out.
 * Context: as rcap_args_begin().
 */
void rcap_args_record(struct rcap_thread *thread, uint32_t function, uint32_t domain, uint32_t name,
                      const struct rlog_pack *args);

#endif
