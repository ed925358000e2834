/* SPDX-License-Identifier: MIT */
/* Makes rows from the planes, lines and events of XLA's profiles. */
#ifndef RA_XPLANE_READ_H
#define RA_XPLANE_READ_H

#include "analyzer/protobuf/protobuf.h"
#include "analyzer/rows/kineto.h"

/* True if the first bytes of a file are those of an XSpace: a plane that begins with its name. */
bool ra_xplane_read_probe(const void *bytes, size_t size);

/*
 * Makes the rows of a whole file. Planes become processes, numbered from 1 in the file's order;
 * lines become their threads. Starts and ends are rounded to the nearest ns, so that events that
 * nest in ps nest in ns.
 *
 * @stop: tells where and why reading ended before the end of the file; code 0: it did not. Rows
 * before that place are kept. Return: the rows, to be freed by ra_kineto_destroy().
 */
struct ra_kineto *ra_xplane_read(const void *bytes, size_t size, struct rlog_error *stop);

#endif
