/* SPDX-License-Identifier: MIT */
/* What the file of a program says of how it is loaded. */
#ifndef RCAP_RANGES_ELF_H
#define RCAP_RANGES_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* Reads which dynamic linker an ELF file wants. Return: false: it is none, or wants none. */
bool rcap_ranges_elf_interpreter(int fd, char *out, size_t size);

/*
 * Why libranges.so can't have been loaded into a program, as far as its file tells.
 *
 * @name: as for execvp().
 * Return: one line; never NULL. A guess where the file is an ordinary one.
 */
const char *rcap_ranges_elf_explain(const char *name);

#endif
