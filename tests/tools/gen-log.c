/* SPDX-License-Identifier: MIT */
/* gen-log OUT [options]: writes a log that tests and benchmarks can rely on, byte for byte. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/log-maker.h"

static const char help[] =
	"usage: gen-log OUT [options]\n"
	"  --pairs N     pushes with their pops, all threads together (1000)\n"
	"  --threads N   (2)   --names N  (40)   --domains N  (1)   --depth N  (8)\n"
	"  --seed N      (1)   --level N  compression, 0 to 9 (1)   --rows N  of a chunk (16384)\n"
	"  --odd WORD,...  unmatched open losses spans marks attrs crossing names backwards\n"
	"                unclosed, or all\n"
	"  --steps N     pairs in each range \"step\" of the first thread (0: no such ranges)\n"
	"  --open        chunks tell what is open before them, as those of libranges do\n";

static int fail(const char *what)
{
	fprintf(stderr, "gen-log: %s\n", what);
	return 2;
}

/* Takes "open,marks". Return: 0, or 2. */
static int parse_odd(const char *words, unsigned *odd)
{
	while (*words != '\0') {
		const size_t length = strcspn(words, ",");
		unsigned bit = 0;

		while (log_maker_odd_words[bit] != NULL &&
		       (strlen(log_maker_odd_words[bit]) != length ||
		        memcmp(log_maker_odd_words[bit], words, length) != 0)) {
			bit++;
		}
		if (log_maker_odd_words[bit] != NULL) {
			*odd |= 1u << bit;
		} else if (length == 3 && memcmp(words, "all", 3) == 0) {
			*odd = LOG_MAKER_EVERYTHING;
		} else {
			return fail("--odd: unknown word");
		}
		words += length + (words[length] == ',');
	}
	return 0;
}

static int take_option(struct log_maker_options *options, int option, const char *value)
{
	char *end;
	unsigned long long number;

	if (option == 'o') {
		return parse_odd(value, &options->odd);
	}
	errno = 0;
	number = strtoull(value, &end, 10);
	if (end == value || *end != '\0' || errno != 0) {
		return fail("not a number");
	}
	switch (option) {
	case 'p':
		options->pairs = number;
		return 0;
	case 't':
		options->threads = (unsigned) number;
		return 0;
	case 'n':
		options->names = (unsigned) number;
		return 0;
	case 'm':
		options->domains = (unsigned) number;
		return 0;
	case 'd':
		options->depth = (unsigned) number;
		return 0;
	case 's':
		options->seed = number;
		return 0;
	case 'l':
		options->level = (int) number;
		return 0;
	case 'S':
		options->steps = (unsigned) number;
		return 0;
	case 'r':
		options->rows = (unsigned) number;
		return 0;
	default:
		return 2;
	}
}

int main(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "pairs", required_argument, NULL, 'p' },
		{ "threads", required_argument, NULL, 't' },
		{ "names", required_argument, NULL, 'n' },
		{ "domains", required_argument, NULL, 'm' },
		{ "depth", required_argument, NULL, 'd' },
		{ "seed", required_argument, NULL, 's' },
		{ "level", required_argument, NULL, 'l' },
		{ "rows", required_argument, NULL, 'r' },
		{ "odd", required_argument, NULL, 'o' },
		{ "steps", required_argument, NULL, 'S' },
		{ "open", no_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct log_maker_options options = log_maker_defaults;
	struct rlog_error err = { 0 };
	int option;
	int fd;
	int rc;

	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == 'h' || option == '?') {
			fputs(help, option == 'h' ? stdout : stderr);
			return option == 'h' ? 0 : 2;
		}
		if (option == 'e') {
			options.tells_open = true;
			continue;
		}
		rc = take_option(&options, option, optarg);
		if (rc != 0) {
			return rc;
		}
	}
	if (optind + 1 != argc) {
		fputs(help, stderr);
		return 2;
	}
	fd = open(argv[optind], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0) {
		perror(argv[optind]);
		return 1;
	}
	rc = log_maker_write(fd, &options, &err);
	if (rc != 0) {
		fprintf(stderr, "gen-log: %s\n", err.message);
	}
	if (close(fd) != 0) {
		perror(argv[optind]);
		return 1;
	}
	return rc == 0 ? 0 : 1;
}
