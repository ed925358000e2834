/* SPDX-License-Identifier: MIT */
/* Reads what a Chrome trace has besides events: devices, ranks, time base, names of threads. */
#ifndef RA_KINETO_FACTS_H
#define RA_KINETO_FACTS_H

#include "analyzer/rows/kineto-store.h"

/* Reads kineto->facts and the metadata events (ph M). Sets zero_ns. */
void ra_kineto_facts_read(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
