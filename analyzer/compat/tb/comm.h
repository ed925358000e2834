/* SPDX-License-Identifier: MIT */
/* --compat=tb: finds collectives, and how long they waited for other ranks. */
#ifndef RA_TB_COMM_H
#define RA_TB_COMM_H

#include "analyzer/steps/step-costs.h"
#include "analyzer/compat/tb/nodes.h"

/* Adds a collective. It replaces an earlier one with the same external id. */
void ra_tb_comm_add(struct ra_tb_nodes *nodes, const struct ra_tb_event *event, uint32_t external);

/* Adds a kernel to the collective with its external id, if NCCL is used. */
void ra_tb_comm_add_kernels(struct ra_tb_nodes *nodes);

/* Finds the collective with an external id. Return: its index in comms; RA_UTIL_MAP_NONE if there
 * is none. Not valid after ra_tb_comm_place(). */
uint32_t ra_tb_comm_find(const struct ra_tb_nodes *nodes, uint32_t external);

/* Sorts the collectives by time and finds the step of each. Drops all if there are two
 * libraries. */
void ra_tb_comm_place(struct ra_tb_nodes *nodes, const struct ra_step_times *times);

void ra_tb_comm_fini(struct ra_tb_nodes *nodes);

/*
 * Compares the collectives of several ranks, in order, and sets how much of each was not waiting.
 * For each kernel that is at most the time that the fastest rank needed.
 *
 * Return: true if the ranks' collectives match.
 */
bool ra_tb_comm_compare(struct ra_tb_nodes *const *ranks, size_t count);

#endif
