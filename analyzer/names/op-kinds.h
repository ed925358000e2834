/* SPDX-License-Identifier: MIT */
/* Finds out by its name what a range of PyTorch does. */
#ifndef RA_OP_KINDS_H
#define RA_OP_KINDS_H

#include <stdbool.h>

#include "format/tables.h"

/* True for a range that waits for the next batch of a DataLoader or DataPipe. */
bool ra_op_kinds_is_loader(struct rlog_string name);

/* The part of the name of a DataLoader's range that differs between classes: "_SingleProcess" of
 * "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__". Empty: it is no such name. */
struct rlog_string ra_op_kinds_loader_class(struct rlog_string name);

/* True if the loader of that name only waits for worker processes. */
bool ra_op_kinds_has_workers(struct rlog_string name);
/* True for a collective that PyTorch passes to NCCL, or to Gloo. */
bool ra_op_kinds_is_nccl(struct rlog_string name);
bool ra_op_kinds_is_gloo(struct rlog_string name);
bool ra_op_kinds_is_gloo_or_nccl(struct rlog_string name);

#endif
