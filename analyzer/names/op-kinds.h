/* SPDX-License-Identifier: MIT */
/* Finds what a range of PyTorch does, by its name. */
#ifndef RA_OP_KINDS_H
#define RA_OP_KINDS_H

#include <stdbool.h>

#include "format/tables.h"

/* Waits for the next batch of a DataLoader or DataPipe. */
bool ra_op_kinds_is_loader(struct rlog_string name);

/* The class of a DataLoader's range without what all have in common: "_SingleProcess" of
 * "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__". Empty: it is no such name. */
struct rlog_string ra_op_kinds_loader_class(struct rlog_string name);

/* True if the loader of that name only waits for worker processes. */
bool ra_op_kinds_has_workers(struct rlog_string name);
/* A collective that PyTorch passes to NCCL, or to Gloo. */
bool ra_op_kinds_is_nccl(struct rlog_string name);
bool ra_op_kinds_is_gloo(struct rlog_string name);
bool ra_op_kinds_is_gloo_or_nccl(struct rlog_string name);

#endif
