/* SPDX-License-Identifier: MIT */
/* Identifies the owner of a spool. A pid can be reused; a pid with its start time and namespace
 * can't. */
#ifndef RCAP_OWNER_H
#define RCAP_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the start time of a process in clock ticks since boot; 0 if there is no such process, or
 * it is a zombie. Context: no allocation. */
uint64_t rcap_owner_start_time(int64_t pid);

/* Returns the inode of the caller's pid namespace; 0 if unknown. */
uint64_t rcap_owner_pid_ns(void);

/*
 * True if the main thread has left by pthread_exit(), and only `ours` threads exist, including the
 * caller. Then no other thread will end the process.
 */
bool rcap_owner_is_alone(uint64_t ours);

/* True if this process has one thread. */
bool rcap_owner_is_single(void);

/* Gets the id of the kernel's boot. Return: false if unknown. */
bool rcap_owner_boot_id(char *out, size_t size);

#endif
