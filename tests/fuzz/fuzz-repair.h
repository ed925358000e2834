/* SPDX-License-Identifier: MIT */
/* What a fuzzer would never find by itself: a log's CRCs. */
#ifndef FUZZ_REPAIR_H
#define FUZZ_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Puts headers and CRCs right, chunk by chunk, so that what stands in the payloads is read. */
void fuzz_repair(uint8_t *data, size_t size);

#endif
