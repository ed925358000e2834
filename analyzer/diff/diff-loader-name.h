/* SPDX-License-Identifier: MIT */
/* The names of PyTorch's ranges of a DataLoader, which differ in the class of the iterator. */
#ifndef RA_DIFF_LOADER_NAME_H
#define RA_DIFF_LOADER_NAME_H

#include <stdbool.h>

#include "format/tables.h"

/* The class without what all have in common: "_SingleProcess" of
 * "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__". Empty: it is no such name. */
struct rlog_string ra_diff_loader_name_class(struct rlog_string name);

/* True if that loader only waits for worker processes. */
bool ra_diff_loader_name_has_workers(struct rlog_string name);

#endif
