/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#ifndef RA_COLLECTIVE_BYTES_H
#define RA_COLLECTIVE_BYTES_H

#include "analyzer/rows/kineto.h"

/* For a row on the CPU side. Return: 0 if the row does not say. */
int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row);

#endif
