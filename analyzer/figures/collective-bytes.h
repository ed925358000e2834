/* SPDX-License-Identifier: MIT */
/* Computes the bytes that go into a collective, from the shapes and types in its row of a
 * trace. */
#ifndef RA_COLLECTIVE_BYTES_H
#define RA_COLLECTIVE_BYTES_H

#include "analyzer/rows/kineto.h"

/* Returns the bytes of one value of a type, by the type's name; 0 if the name is not known. */
typedef int64_t ra_collective_sizes(struct rlog_string name);

/* Returns the bytes of one value of a type by either name: the C++ name that inputs have
 * (c10::Half), or PyTorch's name in the arg `dtype` (Half). */
int64_t ra_collective_type_bytes(struct rlog_string name);

/* For a row on the CPU side, returns the bytes of all inputs whose type is known; -1 if there are
 * no such inputs. */
int64_t ra_collective_bytes_of_row(const struct ra_kineto *kineto, uint32_t row,
                                   ra_collective_sizes *sizes);

#endif
