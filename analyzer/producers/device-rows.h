/* SPDX-License-Identifier: MIT */
/* Finds the rows of devices in a trace, and the kinds of the events on them. */
#ifndef RA_DEVICE_ROWS_H
#define RA_DEVICE_ROWS_H

#include "analyzer/rows/kineto-store.h"

/*
 * Handles events whose category tells nothing, on rows whose names tell a device. The events become
 * kernels, copies, ranges of the device, or calls. Ids that link calls to their work are stored in
 * kineto->corr, from 1 on. Threads must have their names already. A trace without such rows does
 * not change.
 */
void ra_device_rows_find(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
