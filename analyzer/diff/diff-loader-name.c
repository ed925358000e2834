/* SPDX-License-Identifier: MIT */
/* The names of PyTorch's ranges of a DataLoader, which differ in the class of the iterator. */
#include "analyzer/diff/diff-loader-name.h"

#include "analyzer/base/text/util-string.h"

struct rlog_string ra_diff_loader_name_class(struct rlog_string name)
{
	static const char head[] = "enumerate(DataLoader)#";
	static const char tail[] = "DataLoaderIter.__next__";
	const uint32_t ends = sizeof(head) - 1 + sizeof(tail) - 1;

	if (name.length <= ends || !ra_util_string_has_prefix(name, head) ||
	    !ra_util_string_has_suffix(name, tail)) {
		return (struct rlog_string){ "", 0, 0 };
	}
	return (struct rlog_string){ name.bytes + sizeof(head) - 1, name.length - ends, 0 };
}

bool ra_diff_loader_name_has_workers(struct rlog_string name)
{
	return ra_util_string_is(ra_diff_loader_name_class(name), "_MultiProcessing");
}
