/* SPDX-License-Identifier: MIT */
/* Bytes that go into a collective, by the shapes and types that its row of a trace names. */
#ifndef RA_COLLECTIVE_BYTES_H
#define RA_COLLECTIVE_BYTES_H

#include "analyzer/rows/kineto.h"

/* Of a row on the CPU's side. Return: 0 if the row does not say. */
int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row);

#endif
