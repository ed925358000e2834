/* SPDX-License-Identifier: MIT */
/* Finds out by its name what a range of PyTorch does. */
#include "analyzer/names/op-kinds.h"

#include <string.h>

#include "analyzer/base/text/util-string.h"

bool ra_op_kinds_is_loader(struct rlog_string name)
{
	return (ra_util_string_has_prefix(name, "enumerate(DataLoader)#") &&
	        ra_util_string_has_suffix(name, ".__next__")) ||
	       ra_util_string_has_prefix(name, "enumerate(DataPipe)#");
}

struct rlog_string ra_op_kinds_loader_class(struct rlog_string name)
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

bool ra_op_kinds_has_workers(struct rlog_string name)
{
	return ra_util_string_is(ra_op_kinds_loader_class(name), "_MultiProcessing");
}

static bool is_collective(struct rlog_string name, const char *library)
{
	static const char *const words[] = { "broadcast", "reduce", "all_reduce", "all_gather",
		                             "reduce_scatter" };
	struct rlog_string rest = name;

	if (!ra_util_string_has_prefix(name, library)) {
		return false;
	}
	rest.bytes += strlen(library);
	rest.length -= (uint32_t) strlen(library);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ra_util_string_is(rest, words[i])) {
			return true;
		}
	}
	return false;
}

bool ra_op_kinds_is_nccl(struct rlog_string name)
{
	return is_collective(name, "nccl:");
}

bool ra_op_kinds_is_gloo(struct rlog_string name)
{
	return is_collective(name, "gloo:");
}

bool ra_op_kinds_is_gloo_or_nccl(struct rlog_string name)
{
	return ra_op_kinds_is_gloo(name) || ra_op_kinds_is_nccl(name);
}
