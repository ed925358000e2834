/* SPDX-License-Identifier: MIT */
/* Planes, lines and events of XLA's profiles, to rows. */
#ifndef RA_XPLANE_READ_H
#define RA_XPLANE_READ_H

#include "analyzer/protobuf/protobuf.h"
#include "analyzer/rows/kineto.h"

/* True if the first bytes of a file are those of an XSpace: a plane that begins with its name. */
bool ra_xplane_read_probe(const void *bytes, size_t size);

/*
 * Makes rows of a whole file. Planes are processes, numbered as in the file from 1, lines their
 * threads. Starts and ends are rounded to the nearest ns, so that what nests in ps nests in ns.
 *
 * @stop: where and why the reading ended, if before the end: code 0 if not. What came before is
 * there.
 * Return: for ra_kineto_destroy().
 */
struct ra_kineto *ra_xplane_read(const void *bytes, size_t size, struct rlog_error *stop);

#endif
