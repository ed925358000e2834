/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target over files, without a fuzzer: make check reads again the inputs that a fuzzer
 * once found.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tap.h"

#ifndef CORPUS
#define CORPUS "corpus"
#endif

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *const in = fopen(path, "re");
	uint8_t *bytes = NULL;
	long length = 0;

	if (!in || fseek(in, 0, SEEK_END) != 0 || (length = ftell(in)) < 0 ||
	    fseek(in, 0, SEEK_SET) != 0) {
		tap_bail("cannot read %s: %m", path);
	}
	*size = (size_t) length;
	/* Exactly so big: a sanitizer sees the first byte behind it. */
	bytes = malloc(*size ? *size : 1);
	if (!bytes || fread(bytes, 1, *size, in) != *size) {
		tap_bail("cannot read %s", path);
	}
	(void) fclose(in);
	return bytes;
}

int main(int argc, char **argv)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	const char *const top = getenv("top_srcdir");
	char folder[2048];
	struct dirent **names = NULL;
	int count = 0;

	(void) snprintf(folder, sizeof(folder), "%s/tests/fuzz/" CORPUS, top ? top : TOP_SRCDIR);
	count = scandir(argc > 1 ? argv[1] : folder, &names, NULL, alphasort);
	if (count < 0) {
		tap_bail("no folder %s", argc > 1 ? argv[1] : folder);
	}
	for (int i = 0; i < count; i++) {
		char path[4096];
		uint8_t *bytes = NULL;
		size_t size = 0;

		if (names[i]->d_name[0] != '.') {
			(void) snprintf(path, sizeof(path), "%s/%s", argc > 1 ? argv[1] : folder,
			                names[i]->d_name);
			bytes = read_file(path, &size);
			(void) LLVMFuzzerTestOneInput(bytes, size);
			tap_ok(true, "%s is read to its end", names[i]->d_name);
		}
		free(bytes);
		free(names[i]);
	}
	free(names);
	return tap_done();
}
