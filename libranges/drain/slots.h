/* SPDX-License-Identifier: MIT */
/* What a slot of a queue is. */
#ifndef RCAP_SLOTS_H
#define RCAP_SLOTS_H

#include "libranges/spool/spool.h"

/* Neither overwritten by the program nor never written, as far as its check byte tells. */
static inline bool rcap_slot_is_sound(const struct rcap_slot *slot)
{
	return (rcap_slot_word(slot, 0, 0, 0) ^ slot->b) >> 56 == 0;
}

static inline uint8_t rcap_slot_op(const struct rcap_slot *slot)
{
	return (uint8_t) (slot->b >> 48);
}

/* Attribute and data slots belong to the event before them. */
static inline bool rcap_slot_is_behind_event(const struct rcap_slot *slot)
{
	return rcap_slot_op(slot) == RCAP_OP_ATTR || rcap_slot_op(slot) == RCAP_OP_DATA;
}

#endif
