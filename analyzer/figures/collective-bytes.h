/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#ifndef RA_COLLECTIVE_BYTES_H
#define RA_COLLECTIVE_BYTES_H

#include "analyzer/rows/kineto.h"

/* Bytes of one value of a type, by the type's name. Return: 0 if the name is not known. */
typedef int64_t ra_collective_sizes(struct rlog_string name);

/* Finds the bytes of any type, by the name of C++ (c10::Half) that inputs have, or by that of
 * PyTorch (Half) that the arg `dtype` has. */
int64_t ra_collective_type_bytes(struct rlog_string name);

/* For a row on the CPU side: the sum of the inputs whose type is known. Return: -1 if there are
 * none. */
int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row,
                                   ra_collective_sizes *sizes);

#endif
