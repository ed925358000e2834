/* SPDX-License-Identifier: MIT */
/* The list of subcommands, and its help. */
#ifndef RA_CMD_LIST_H
#define RA_CMD_LIST_H

#include "analyzer/commands/shared/entries.h"

/* Finds a command by name. Return: the command, or NULL. */
const struct ra_cmd *ra_cmd_list_find(const char *name);

/* The command most similar to a word. Return: its name, or NULL. */
const char *ra_cmd_list_guess(const char *name);

/* Prints the help of the program, or of one command, on stdout. */
void ra_cmd_list_print_help(const struct ra_cmd *command);

#endif
