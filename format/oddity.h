/* SPDX-License-Identifier: MIT */
/* The keys under which END counts what made no sense in the program's calls. */
#ifndef RLOG_ODDITY_H
#define RLOG_ODDITY_H

#include <stdint.h>

/* What all of them begin with, also those of later versions. */
#define RLOG_ODDITY_PREFIX "odd_"

/* END's key for an oddity (enum rlog_oddity); NULL for a number that is none. */
const char *rlog_oddity_key(uint32_t oddity);

#endif
