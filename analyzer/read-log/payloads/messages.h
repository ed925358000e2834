/* SPDX-License-Identifier: MIT */
/* Finds the names of events whose name is only in their payload. */
#ifndef RA_MESSAGES_H
#define RA_MESSAGES_H

#include "analyzer/model/build/builder.h"

/*
 * Gives names to ranges and marks that have payloads but no name. The name is the text of the last
 * entry that a schema marks as the event's message (NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE). The
 * model's data must be sorted.
 */
void ra_messages_apply(struct ra_builder *builder);

#endif
