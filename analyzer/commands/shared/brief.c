/* SPDX-License-Identifier: MIT */
/* Limits the size of an answer (--brief[=BYTES]), for readers who pay for each byte. */
#include "analyzer/commands/shared/brief.h"

#include "analyzer/commands/shared/cmd.h"

#define USUAL_BYTES 4000
#define LEAST_BYTES 2000 /* room for the main finding and the remarks on losses */
#define MOST_BYTES  100000000

int ra_cmd_brief_take(const char *value, size_t *bytes)
{
	int code = 0;

	*bytes = USUAL_BYTES;
	if (value != NULL) {
		code = ra_cmd_take_size("--brief", value, bytes);
	}
	return code == 0 && (*bytes < LEAST_BYTES || *bytes > MOST_BYTES)
	               ? ra_cmd_usage("--brief: expected %d to %d bytes", LEAST_BYTES, MOST_BYTES)
	               : code;
}
