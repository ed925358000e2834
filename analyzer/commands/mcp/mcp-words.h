/* SPDX-License-Identifier: MIT */
/* Rewrites answers of commands so that they name arguments of tools in place of options. */
#ifndef RA_MCP_WORDS_H
#define RA_MCP_WORDS_H

#include "analyzer/base/text/util-text.h"

/* Replaces the phrases in an answer that name options and commands. Names of ranges and the like do
 * not change, because only whole phrases of ours are replaced. A phrase is found even where a line
 * break divides it. */
void ra_mcp_words_replace(struct ra_util_text *text);

#endif
