/* SPDX-License-Identifier: MIT */
/* Shared by the files of the tool for tests of chaining. */
#ifndef CHAIN_TOOL_H
#define CHAIN_TOOL_H

/* Keeps a line: a call and what it was about. */
void chain_tool_note(const char *call, const char *a, const char *b);

/* Name of a thing of that kind by its handle: "-" for NULL, "WILD" for one that it never gave. */
const char *chain_tool_name(const void *handle, char kind);

#endif
