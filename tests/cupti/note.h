/* SPDX-License-Identifier: MIT */
/* The notes of test programs on their launches, which links.c compares with the log. */
#ifndef NOTE_H
#define NOTE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A test program's note on a launch, for the comparison with the log. */
struct fake_note {
	uint32_t correlation;
	uint32_t tid;
	uint32_t thread; /* number */
	uint32_t range;  /* number in the thread */
	uint32_t kernel; /* index into fake_kernels */
	uint32_t device;
	uint32_t stream;
};

/* The name of the range that the launch was made in. */
static inline void fake_note_range(const struct fake_note *note, char *text, size_t size)
{
	snprintf(text, size, "t%u-%u", note->thread, note->range);
}

#define FAKE_KERNELS 3

static const char *const fake_kernels[FAKE_KERNELS] = {
	"_Z6vecAddPKfS0_Pfi", "_Z4gemmPKfS0_Pfiii", "void reduce<float, 256>(float const*, float*)"
};

#endif
