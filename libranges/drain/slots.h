/* SPDX-License-Identifier: MIT */
/* Tells kinds of slots in a queue apart. */
#ifndef RCAP_SLOTS_H
#define RCAP_SLOTS_H

#include "libranges/spool/spool.h"

/* False if the slot was never written, or the program has overwritten it, as far as the check byte
 * shows. */
static inline bool rcap_slot_is_sound(const struct rcap_slot *slot)
{
	return (rcap_slot_word(slot, 0, 0, 0) ^ slot->b) >> 56 == 0;
}

static inline uint8_t rcap_slot_op(const struct rcap_slot *slot)
{
	return (uint8_t) (slot->b >> 48);
}

/* True for attribute and data slots, which belong to the event before them. */
static inline bool rcap_slot_is_behind_event(const struct rcap_slot *slot)
{
	return rcap_slot_op(slot) == RCAP_OP_ATTR || rcap_slot_op(slot) == RCAP_OP_DATA;
}

#endif
