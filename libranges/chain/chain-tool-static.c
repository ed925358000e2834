/* SPDX-License-Identifier: MIT */
/* Loads no tool: a capture linked into a program can't, because the program may have no dynamic
 * loader. */
#include "libranges/chain/chain-tool.h"
#include "libranges/base/log.h"

void *rcap_chain_tool_open(const char *path, const char *entry, void **library, char *why,
                           size_t why_size)
{
	(void) entry;
	*library = NULL;
	rcap_log_format(why, why_size,
	                "cannot chain the NVTX tool %s: this capture is linked into the program",
	                path);
	return NULL;
}

void *rcap_chain_tool_find(void *library, const char *entry)
{
	(void) library;
	(void) entry;
	return NULL;
}

void rcap_chain_tool_close(void *library)
{
	(void) library;
}
