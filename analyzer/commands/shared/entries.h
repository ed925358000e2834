/* SPDX-License-Identifier: MIT */
/* Declares the entries of all subcommands, one per line. */
#ifndef RA_CMD_ENTRIES_H
#define RA_CMD_ENTRIES_H

#include "analyzer/commands/shared/cmd.h"

extern const struct ra_cmd cmd_analyze; /* the default */
extern const struct ra_cmd cmd_batch;
extern const struct ra_cmd cmd_check;
extern const struct ra_cmd cmd_diff;
extern const struct ra_cmd cmd_dump;
extern const struct ra_cmd cmd_info;
extern const struct ra_cmd cmd_mcp;
extern const struct ra_cmd cmd_merge;
extern const struct ra_cmd cmd_stats;
extern const struct ra_cmd cmd_summarize;
extern const struct ra_cmd cmd_search;
extern const struct ra_cmd cmd_slice;
extern const struct ra_cmd cmd_sql;
extern const struct ra_cmd cmd_verify;
extern const struct ra_cmd cmd_why;

#endif
