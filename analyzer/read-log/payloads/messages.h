/* SPDX-License-Identifier: MIT */
/* Names of events that are only in their payloads. */
#ifndef RA_MESSAGES_H
#define RA_MESSAGES_H

#include "analyzer/model/build/builder.h"

/*
 * A range or mark with payloads but no name gets a name: the text of the last entry that a schema
 * marks as the event's message (NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE). The model's data must be
 * sorted.
 */
void ra_messages_apply(struct ra_builder *builder);

#endif
