/* SPDX-License-Identifier: MIT */
/* Lists the subcommands, and prints their help. */
#ifndef RA_CMD_LIST_H
#define RA_CMD_LIST_H

#include "analyzer/commands/shared/entries.h"

/* Finds a command by name. Return: the command, or NULL. */
const struct ra_cmd *ra_cmd_list_find(const char *name);

/* Finds the command most similar to a word. Return: its name, or NULL if none is similar. */
const char *ra_cmd_list_guess(const char *name);

/* Prints the help of the program, or of one command, on stdout. */
void ra_cmd_list_print_help(const struct ra_cmd *command);

#endif
