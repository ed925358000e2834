/* SPDX-License-Identifier: MIT */
/* Says what the commands' answers say of their options in the words of the tools' arguments. */
#ifndef RA_MCP_WORDS_H
#define RA_MCP_WORDS_H

#include "analyzer/base/text/util-text.h"

/* Replaces the phrases in an answer that name options and commands. Names of ranges and the like
 * keep theirs, as only whole phrases of ours are replaced, also where a line is wrapped in them. */
void ra_mcp_words_replace(struct ra_util_text *text);

#endif
