/* SPDX-License-Identifier: MIT */
/* Shared by all calls of NVTX's extensions: a thread, texts, semantics, a definition and a call. */
#ifndef RCAP_NVTX_EXT_H
#define RCAP_NVTX_EXT_H

#include "libranges/record/payloads/args.h"
#include "libranges/record/names/defs.h"
#include "libranges/abi/nvtx-abi-counters.h"
#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/abi/nvtx-abi.h"

/* The number of an extension's function in the log (doc/format.md, section 14). */
#define RCAP_NVTX_EXT_FUNCTION(module, slot) \
	(0x1000u | (uint32_t) (module) << 8 | (uint32_t) (slot))

/*
 * Begins a call of an extension.
 *
 * @domain: the program's handle. @id: gets the domain's id.
 * Return: the thread, which the caller must leave; NULL if the call must not be recorded.
 */
struct rcap_thread *rcap_nvtx_ext_begin(const void *domain, uint32_t *id);

/* Does the same for a call that defines something. Such a call is handled while the capture is off,
 * too. */
struct rcap_thread *rcap_nvtx_ext_begin_definition(const void *domain, uint32_t *id);

/*
 * Begins a detail. The same detail is written twice: in the definition, and, after the id, in the
 * call.
 *
 * @elements: number of elements, at most 14, which the caller packs.
 */
struct rlog_pack rcap_nvtx_ext_begin_detail(struct rcap_thread *thread, unsigned int elements);

/*
 * Adds the definition, and records the call.
 *
 * @wanted: the definition without its detail.
 * @detail: from rcap_nvtx_ext_begin_detail(), filled. If it is full, has no elements, or is longer
 * than a string of the log, the definition gets no detail.
 * @function: number of the call. @is_shared: as in rcap_defs_add().
 * Return: the definition; NULL if there is no room. *id: the id for the program.
 */
const struct rcap_def *rcap_nvtx_ext_register(struct rcap_thread *thread,
                                              const struct rcap_def *wanted,
                                              struct rlog_pack *detail, uint32_t function,
                                              bool is_shared, uint64_t *id);

/* Bytes of the longest text of a registration that is kept. */
#define RCAP_NVTX_EXT_TEXT_BYTES 1024u

/* Reads a text of the program. Return: its bytes in `buffer`, or NULL. *bytes: their number. */
const char *rcap_nvtx_ext_read_text(const char *text, char *buffer, uint32_t *bytes);

/* Packs a text of the program. Packs nil for NULL, and for a text that can't be read. */
void rcap_nvtx_ext_add_text(struct rlog_pack *pack, const char *text);

/* Packs a list of semantics (doc/format.md, section 5). Packs nil if there are none. */
void rcap_nvtx_ext_add_semantics(struct rlog_pack *pack, const struct rcap_nvtx_semantics *list);

/* Reads a whole struct of the program. Return: false if it can't be read; this is counted. */
bool rcap_nvtx_ext_read(void *to, const void *from, size_t bytes);

#endif
