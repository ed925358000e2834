/* SPDX-License-Identifier: MIT */
/* Reads from a program's file how the program is loaded. */
#ifndef RCAP_RANGES_ELF_H
#define RCAP_RANGES_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* Reads which dynamic linker an ELF file needs. Return: false if it is not an ELF file, or needs
 * none. */
bool rcap_ranges_elf_interpreter(int fd, char *out, size_t size);

/*
 * Says why libranges.so can't have been loaded into a program, judging by the program's file.
 *
 * @name: as for execvp().
 * Return: one line; never NULL. If the file is an ordinary program, the line is a guess.
 */
const char *rcap_ranges_elf_explain(const char *name);

#endif
