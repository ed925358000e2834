/* SPDX-License-Identifier: MIT */
/* One run of one of the two commands of `ranges compare`. */
#include "libranges/launcher/compare/ranges-turn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-help.h"

/* The launcher has one thread. NOLINTBEGIN(concurrency-mt-unsafe) */

/* Logs have names like run-001.bin. If a run makes several logs, they are in a folder run-001,
 * because analyzer diff takes inputs in one folder as one run. */
#define PREFIX "run-"

/* Returns the number in the name of a log or of a folder of logs; -1 if the name is not one of
 * ours. */
static int64_t parse_number(const char *name)
{
	char *end;
	uint64_t number;

	if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || name[strlen(PREFIX)] < '0' ||
	    name[strlen(PREFIX)] > '9') {
		return -1;
	}
	number = strtoull(name + strlen(PREFIX), &end, 10);
	return (*end == '.' || *end == '\0') && number < INT64_MAX ? (int64_t) number : -1;
}

static void name_folder(char *out, size_t size, const struct rcap_ranges_compare_options *options,
                        const struct rcap_ranges_compare_side *side)
{
	rcap_log_format(out, size, "%s/%s", options->folder, side->name);
}

static void name_file(char *out, size_t size, const struct rcap_ranges_turn *turn,
                      const char *suffix)
{
	const uint64_t number = turn->number;

	rcap_log_format(out, size, "%s/%s/" PREFIX "%s%lu%s", turn->options->folder,
	                turn->side->name,
	                number < 10    ? "00"
	                : number < 100 ? "0"
	                               : "",
	                (unsigned long) number, suffix);
}

void rcap_ranges_turn_name_output(char *out, size_t size, const struct rcap_ranges_turn *turn)
{
	name_file(out, size, turn, ".txt");
}

static bool is_log(const char *name)
{
	const size_t length = strlen(name);

	return length > 4 && strcmp(name + length - 4, ".bin") == 0;
}

/* True for the folder with the logs of one run. */
static bool is_folder(const char *name)
{
	return strchr(name, '.') == NULL;
}

/* Removes a folder `name` in a folder, with its files. */
static void remove_folder(int parent_fd, const char *name)
{
	const int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *const folder = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (parse_number(entry->d_name) >= 0) {
			unlinkat(fd, entry->d_name, 0);
		}
	}
	if (folder != NULL) {
		closedir(folder);
	} else if (fd >= 0) {
		close(fd);
	}
	unlinkat(parent_fd, name, AT_REMOVEDIR);
}

/* What was found in a side's folder. */
struct found {
	uint64_t last;
	size_t logs; /* number of logs of the requested run */
};

enum removal {
	REMOVE_NONE,
	REMOVE_LOGS,
	REMOVE_ALL
};

static void remove_entry(int folder_fd, const char *name, enum removal removal)
{
	if (removal == REMOVE_ALL && is_folder(name)) {
		remove_folder(folder_fd, name);
	} else if (removal == REMOVE_ALL || (removal == REMOVE_LOGS && is_log(name))) {
		unlinkat(folder_fd, name, 0);
	}
}

/* Looks through a side's folder. @number: the requested run. @removal: which files of that run are
 * removed. */
static struct found look(const struct rcap_ranges_compare_options *options,
                         const struct rcap_ranges_compare_side *side, uint64_t number,
                         enum removal removal)
{
	struct found found = { .last = 0 };
	char path[RCAP_CONFIG_PATH_BYTES];
	struct dirent *entry;
	DIR *folder;

	name_folder(path, sizeof(path), options, side);
	folder = opendir(path);
	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		const int64_t its = parse_number(entry->d_name);

		if (its < 0) {
			continue;
		}
		if ((is_log(entry->d_name) || is_folder(entry->d_name)) &&
		    (uint64_t) its > found.last) {
			found.last = (uint64_t) its;
		}
		if ((uint64_t) its == number) {
			found.logs += is_log(entry->d_name);
			remove_entry(dirfd(folder), entry->d_name, removal);
		}
	}
	if (folder != NULL) {
		closedir(folder);
	}
	return found;
}

/* Moves the logs of a run into a folder of their own. */
static void gather(const struct rcap_ranges_turn *turn)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	char to[RCAP_CONFIG_PATH_BYTES];
	const struct dirent *entry;
	DIR *folder;

	name_file(to, sizeof(to), turn, "");
	name_folder(path, sizeof(path), turn->options, turn->side);
	folder = opendir(path);
	if (folder == NULL || mkdir(to, 0777) != 0) {
		rcap_log_line(RCAP_LOG_WARN, "compare: cannot make the folder %s: %s", to,
		              rcap_ranges_help_errno(errno));
	} else {
		const int to_fd = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		while (to_fd >= 0 && (entry = readdir(folder)) != NULL) {
			if (is_log(entry->d_name) &&
			    parse_number(entry->d_name) == (int64_t) turn->number) {
				renameat(dirfd(folder), entry->d_name, to_fd, entry->d_name);
			}
		}
		if (to_fd >= 0) {
			close(to_fd);
		}
	}
	if (folder != NULL) {
		closedir(folder);
	}
}

uint64_t rcap_ranges_turn_last(const struct rcap_ranges_compare_options *options,
                               const struct rcap_ranges_compare_side *side)
{
	return look(options, side, 0, REMOVE_NONE).last;
}

void rcap_ranges_turn_remove(const struct rcap_ranges_compare_options *options,
                             const struct rcap_ranges_compare_side *side, uint64_t number,
                             bool only_logs)
{
	look(options, side, number, only_logs ? REMOVE_LOGS : REMOVE_ALL);
}

static int make_folder(const char *path)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST) {
		return 0;
	}
	rcap_log_line(RCAP_LOG_ERROR, "compare: cannot make the folder %s: %s", path,
	              rcap_ranges_help_errno(errno));
	return RCAP_RANGES_EXIT_UNREADABLE;
}

int rcap_ranges_turn_prepare(const struct rcap_ranges_compare_options *options)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	int rc = make_folder(options->folder);

	for (size_t i = 0; i < 2 && rc == 0; i++) {
		name_folder(path, sizeof(path), options, &options->sides[i]);
		rc = make_folder(path);
	}
	return rc;
}

/* Returns the length of a setting's name. */
static size_t name_length(const char *setting)
{
	return strcspn(setting, "=");
}

/* Sets the environment variables of a side. @before: gets the old values, which restore() sets
 * again and frees. */
static void apply(char *const *settings, char **before)
{
	for (size_t i = 0; settings[i] != NULL; i++) {
		char *const name = strndup(settings[i], name_length(settings[i]));
		const char *const value = name != NULL ? getenv(name) : NULL;

		before[i] = value != NULL ? strdup(value) : NULL;
		if (name != NULL) {
			setenv(name, settings[i] + strlen(name) + 1, 1);
		}
		free(name);
	}
}

static void restore(char *const *settings, char **before)
{
	size_t count = 0;

	while (settings[count] != NULL) {
		count++;
	}
	for (size_t i = count; i-- > 0;) { /* backwards, because a name may be set twice */
		char *const name = strndup(settings[i], name_length(settings[i]));

		if (name != NULL && before[i] != NULL) {
			setenv(name, before[i], 1);
		} else if (name != NULL) {
			unsetenv(name);
		}
		free(name);
		free(before[i]);
	}
}

/* Makes a pattern that expands to this file name. */
static void quote_pattern(char *out, size_t size, const char *name)
{
	size_t length = 0;

	for (; *name != '\0' && length + 2 < size; name++) {
		out[length++] = *name;
		if (*name == '%') {
			out[length++] = '%';
		}
	}
	out[length] = '\0';
}

/* Makes the command "ranges run -q -f -o LOG -- COMMAND". Return: NULL if there is no memory. The
 * caller frees it. */
static char **build_words(char *const *command, char *log)
{
	static char own[] = "/proc/self/exe";
	static char run[] = "run";
	static char quiet[] = "-q";
	static char force[] = "-f";
	static char output[] = "-o";
	static char end[] = "--";
	char *const first[] = { own, run, quiet, force, output, log, end };
	const size_t count = sizeof(first) / sizeof(first[0]);
	size_t words = 0;
	char **out;

	while (command[words] != NULL) {
		words++;
	}
	out = calloc(count + words + 1, sizeof(*out));
	if (out != NULL) {
		memcpy(out, first, sizeof(first));
		memcpy(out + count, command, words * sizeof(*command));
	}
	return out;
}

int rcap_ranges_turn_run(struct rcap_ranges_turn *turn)
{
	char *before[RCAP_RANGES_COMPARE_SETTINGS];
	char log[RCAP_CONFIG_PATH_BYTES];
	char pattern[RCAP_CONFIG_PATH_BYTES];
	char output[RCAP_CONFIG_PATH_BYTES];
	struct rcap_ranges_child child;
	char **words;
	int output_fd = -1;
	int rc;

	name_file(log, sizeof(log), turn, ".bin");
	rcap_ranges_turn_name_output(output, sizeof(output), turn);
	quote_pattern(pattern, sizeof(pattern), log);
	words = build_words(turn->side->command, pattern);
	if (words == NULL) {
		return ENOMEM;
	}
	if (!turn->options->show) {
		output_fd = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	}
	apply(turn->side->settings, before);
	turn->took_ns = rcap_clock_mono_ns();
	rc = rcap_ranges_child_run(words, false, output_fd, turn->meanwhile, turn->context, &child);
	turn->took_ns = rcap_clock_mono_ns() - turn->took_ns;
	restore(turn->side->settings, before);
	if (output_fd >= 0) {
		close(output_fd);
	}
	free(words);
	turn->exit_code = child.exit_code;
	turn->was_interrupted = child.was_interrupted;
	turn->logs = look(turn->options, turn->side, turn->number, REMOVE_NONE).logs;
	if (rc == 0 && child.exit_code == 0) {
		unlink(output);
		if (turn->number > 0 && turn->logs > 1) {
			gather(turn);
		}
	}
	return rc;
}

/* NOLINTEND(concurrency-mt-unsafe) */
