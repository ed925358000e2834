/* SPDX-License-Identifier: MIT */
/* TAP for test programs in C: each point is a sentence that states a fact. */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdint.h>

#define TAP_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))

/* One point. Return: `passed`, so that a test can stop where going on makes no sense. */
bool tap_ok(bool passed, const char *sentence, ...) TAP_FORMAT(2);

/* Pass if the two are the same; else show both. Texts may be NULL. */
bool tap_is_int(int64_t got, int64_t wanted, const char *sentence, ...) TAP_FORMAT(3);
bool tap_is_uint(uint64_t got, uint64_t wanted, const char *sentence, ...) TAP_FORMAT(3);
bool tap_is_text(const char *got, const char *wanted, const char *sentence, ...) TAP_FORMAT(3);

/* A point that cannot be tested here. */
void tap_skip(const char *sentence, const char *why);

/* A remark for people. */
void tap_diag(const char *remark, ...) TAP_FORMAT(1);

/* The whole program has nothing to do here: prints the plan and exits with 0. */
__attribute__((noreturn)) void tap_skip_all(const char *why);

/* Something that the test needs has failed, so the rest is useless: says so and exits with 1. */
__attribute__((noreturn)) void tap_bail(const char *why, ...) TAP_FORMAT(1);

/* Prints the plan. Return: the exit status. */
int tap_done(void);

#endif
