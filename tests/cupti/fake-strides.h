/* SPDX-License-Identifier: MIT */
/* The sizes of records in the CUPTI that a stand-in plays (-DFAKE_VERSION=N). */
#ifndef FAKE_STRIDES_H
#define FAKE_STRIDES_H

#include <stddef.h>
#include <stdint.h>

/* The version of CUPTI, as from cuptiGetVersion(). */
#ifndef FAKE_VERSION
#define FAKE_VERSION 130000
#endif

/* Bytes from a record of this kind (enum rcap_cupti_kind) to the next; 0: the version has none. */
size_t fake_strides_of(uint32_t kind);

#endif
