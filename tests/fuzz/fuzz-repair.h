/* SPDX-License-Identifier: MIT */
/* Repairs a log's CRCs, which a fuzzer would never find by itself. */
#ifndef FUZZ_REPAIR_H
#define FUZZ_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* Puts headers and CRCs right, chunk by chunk, so that what stands in the payloads is read. */
void fuzz_repair(uint8_t *data, size_t size);

#endif
