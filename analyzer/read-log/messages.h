/* SPDX-License-Identifier: MIT */
/* Names that events have in their payloads only. */
#ifndef RA_MESSAGES_H
#define RA_MESSAGES_H

#include "analyzer/model/builder.h"

/*
 * Gives each range and mark that has payloads and no name the text of the last entry that a schema
 * calls the event's message (NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE). The model's data are sorted.
 */
void ra_messages_apply(struct ra_builder *builder);

#endif
