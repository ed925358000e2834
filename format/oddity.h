/* SPDX-License-Identifier: MIT */
/* The keys of END for counts of calls that made no sense. */
#ifndef RLOG_ODDITY_H
#define RLOG_ODDITY_H

#include <stdint.h>

/* All of these keys begin with this prefix, also in later versions. */
#define RLOG_ODDITY_PREFIX "odd_"

/* Returns END's key for an oddity (enum rlog_oddity); NULL for an unknown number. */
const char *rlog_oddity_key(uint32_t oddity);

#endif
