/* SPDX-License-Identifier: MIT */
/* What the file of a program tells about how it is loaded. */
#ifndef RCAP_RANGES_ELF_H
#define RCAP_RANGES_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* Reads which dynamic linker an ELF file needs. Return: false: it is no ELF file, or needs none. */
bool rcap_ranges_elf_interpreter(int fd, char *out, size_t size);

/*
 * Why libranges.so can't have been loaded into a program, judging by its file.
 *
 * @name: as for execvp().
 * Return: one line; never NULL. A guess if the file is an ordinary one.
 */
const char *rcap_ranges_elf_explain(const char *name);

#endif
