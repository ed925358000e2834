/* SPDX-License-Identifier: MIT */
/* Finds the devices among a trace's rows, and what their events are. */
#ifndef RA_DEVICE_ROWS_H
#define RA_DEVICE_ROWS_H

#include "analyzer/rows/kineto-store.h"

/*
 * Events of categories that say nothing, on rows whose names tell a device: they become kernels,
 * copies, ranges of the device, calls. Ids that link calls to work go to kineto->corr, counted from
 * 1. Threads have their names. Nothing changes in a trace without such rows.
 */
void ra_device_rows_find(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
