/* SPDX-License-Identifier: MIT */
/* The tools that a client can call: files below the roots, and what the other commands say of them.
 */
#include "analyzer/commands/mcp/mcp-tools.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define MOST_FILES   200
#define MOST_DEPTH   8
#define MOST_SECONDS 600 /* that an answer takes */
#define MOST_BYTES   2000000
#define MOST_WORDS   10

#define FILE_SCHEMA "\"file\":{\"type\":\"string\",\"description\":\"a file that list names\"}"
#define BYTES_SCHEMA                                                                           \
	"\"bytes\":{\"type\":\"integer\",\"minimum\":2000,\"description\":\"of the answer at " \
	"most "                                                                                \
	"(4000)\"}"
#define OBJECT \
	"\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
#define READ_ONLY                                                                              \
	"\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":" \
	"true,"                                                                                \
	"\"openWorldHint\":false}"

const char ra_mcp_tools_json[] =
	"["
	"{\"name\":\"list\",\"description\":\"The logs and traces that can be asked about, and the "
	"questions that reports answer.\"," READ_ONLY "," OBJECT "}}},"
	"{\"name\":\"why\",\"description\":\"Where the time went and why: one paragraph and the "
	"tables that prove it. Ask this first. With step: why that step takes longer than the "
	"others.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	",\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"a step's number, or "
	"5-9\"}," BYTES_SCHEMA "},\"required\":[\"file\"]}},"
	"{\"name\":\"summary\",\"description\":\"Steps, GPUs, findings, ranges, kernels, copies "
	"and "
	"threads, and what the file lacks.\"," READ_ONLY "," OBJECT FILE_SCHEMA "," BYTES_SCHEMA
	"},\"required\":[\"file\"]}},"
	"{\"name\":\"report\",\"description\":\"One report of those that list names; of each table "
	"the rows that weigh most, of the rest the sum.\"," READ_ONLY "," OBJECT FILE_SCHEMA
	",\"report\":{\"type\":\"string\",\"description\":\"its name, as kernels\"},"
	"\"step\":{\"type\":[\"string\",\"integer\"],\"description\":\"of these steps only\"},"
	"\"sort\":{\"type\":\"string\",\"description\":\"a column's key; + before it: smallest "
	"first\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"rows at "
	"most\"}," BYTES_SCHEMA "},\"required\":[\"file\",\"report\"]}}"
	"]";

/* True if a path without links is below a root. */
static bool is_inside(const struct ra_mcp_roots *roots, const char *path)
{
	for (size_t i = 0; i < roots->count; i++) {
		const size_t length = strlen(roots->paths[i]);

		if (strncmp(path, roots->paths[i], length) == 0 &&
		    (path[length] == '/' || (length == 1 && path[0] == '/'))) {
			return true;
		}
	}
	return false;
}

/* Finds the regular file that a client names, below a root and without links on the way out. Owned.
 * Return: NULL if there is none; which of the two is nobody's business. */
static char *find_file(const struct ra_mcp_roots *roots, const char *name)
{
	for (size_t i = 0; name != NULL && i < roots->count; i++) {
		char *path = name[0] == '/' ? ra_alloc_format("%s", name)
		                            : ra_alloc_format("%s/%s", roots->paths[i], name);
		char *real = realpath(path, NULL);
		struct stat status;

		free(path);
		if (real != NULL && is_inside(roots, real) && stat(real, &status) == 0 &&
		    S_ISREG(status.st_mode)) {
			return real;
		}
		free(real);
	}
	return NULL;
}

/* In the child: runs ourselves, with both outputs in the pipe. */
static void run_child(char **words, int output)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing >= 0) {
		(void) dup2(nothing, STDIN_FILENO);
	}
	(void) dup2(output, STDOUT_FILENO);
	(void) dup2(output, STDERR_FILENO);
	close(output);
	// NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
	(void) setenv("RANGES_WIDTH", "120", 1);
	(void) setenv("NO_COLOR", "1", 1);
	// NOLINTEND(concurrency-mt-unsafe)
	(void) alarm(MOST_SECONDS);
	execv("/proc/self/exe", words);
	_exit(127);
}

static void read_output(struct ra_util_text *text, int input)
{
	char buffer[65536];

	for (;;) {
		const ssize_t count = read(input, buffer, sizeof(buffer));

		if (count == 0 || (count < 0 && errno != EINTR) || text->length > MOST_BYTES) {
			return;
		}
		ra_util_text_put(text, buffer, count > 0 ? (size_t) count : 0);
	}
}

/* Runs a command of ours. Return: whether it did what was asked. */
static bool run(char **words, struct ra_util_text *text)
{
	int ends[2];
	int status = 0;
	pid_t child;

	if (pipe(ends) != 0) {
		ra_util_text_format(text, "no pipe can be made\n");
		return false;
	}
	fflush(stdout);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		run_child(words, ends[1]);
	}
	close(ends[1]);
	if (child > 0) {
		read_output(text, ends[0]);
	}
	close(ends[0]); /* who says too much gets SIGPIPE */
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
	}
	if (child < 0 || WIFSIGNALED(status)) {
		ra_util_text_format(text, "the command was ended, or took more than %d s\n",
		                    MOST_SECONDS);
		return false;
	}
	return WEXITSTATUS(status) == 0;
}

/* The words of a command. */
struct words {
	char *all[MOST_WORDS]; /* owned */
	size_t count;
};

static void add_word(struct words *words, const char *option, const char *value)
{
	if (value != NULL && words->count + 1 < MOST_WORDS) {
		words->all[words->count++] = ra_alloc_format("%s%s", option, value);
	}
}

/* Runs the command of a tool, and says which it was. */
static bool run_words(struct words *words, struct ra_util_text *text)
{
	const bool is_done = run(words->all, text);

	ra_util_text_format(text, "\nthe same:");
	for (size_t i = 0; i < words->count; i++) {
		const struct rlog_string word = ra_util_string(words->all[i]);

		ra_util_text_put_char(text, ' ');
		ra_util_text_put_name(text, word, RA_TEXT_TERMINAL);
		free(words->all[i]);
	}
	ra_util_text_put_char(text, '\n');
	return is_done;
}

static bool is_file_name(const char *name)
{
	static const char *const suffixes[] = { ".bin",        ".json", ".json.gz", ".pftrace",
		                                ".sqlite",     ".pb",   ".pb.gz",   ".sum",
		                                ".pftrace.gz", ".zst",  ".xz" };
	const size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		const size_t suffix = strlen(suffixes[i]);

		if (length > suffix && strcmp(name + length - suffix, suffixes[i]) == 0) {
			return true;
		}
	}
	return false;
}

/* Links are not followed. */
/* NOLINTNEXTLINE(misc-no-recursion): MOST_DEPTH ends it */
static void list_folder(struct ra_util_text *text, const char *folder, unsigned depth,
                        size_t *count)
{
	struct dirent **entries = NULL;
	const int found = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < found; i++) {
		const char *name = entries[i]->d_name;
		char *path = ra_alloc_format("%s/%s", folder, name);
		struct stat status;

		if (name[0] == '.' || lstat(path, &status) != 0) {
			/* hidden, or gone */
		} else if (S_ISDIR(status.st_mode) && depth < MOST_DEPTH) {
			list_folder(text, path, depth + 1, count);
		} else if (S_ISREG(status.st_mode) && is_file_name(name)) {
			(*count)++;
			if (*count <= MOST_FILES) {
				ra_util_text_put_name(text, ra_util_string(path), RA_TEXT_TERMINAL);
				ra_util_text_format(text, "  %lld bytes\n",
				                    (long long) status.st_size);
			}
		}
		free(path);
		free(entries[i]);
	}
	free(entries);
}

static bool list(const struct ra_mcp_roots *roots, struct ra_util_text *text)
{
	struct words words = { .count = 0 };
	size_t count = 0;

	for (size_t i = 0; i < roots->count; i++) {
		list_folder(text, roots->paths[i], 0, &count);
	}
	if (count > MOST_FILES) {
		ra_util_text_format(text, "... and %zu more\n", count - MOST_FILES);
	}
	ra_util_text_format(text, "%zu files\n\n", count);
	add_word(&words, "analyzer", "");
	add_word(&words, "stats", "");
	add_word(&words, "--list", "");
	return run_words(&words, text);
}

/* Names of reports, columns and steps: what cannot be taken for anything else. */
static bool is_plain(const char *word)
{
	return word == NULL ||
	       (strlen(word) < 100 &&
	        strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_,+-") == strlen(word));
}

static bool call(const struct ra_mcp_roots *roots, const struct ra_mcp_request *request,
                 struct ra_util_text *text)
{
	char *const *fields = request->fields;
	const bool is_report = strcmp(fields[RA_MCP_TOOL], "report") == 0;
	const bool is_why = strcmp(fields[RA_MCP_TOOL], "why") == 0;
	struct words words = { .count = 0 };
	char *path = find_file(roots, fields[RA_MCP_FILE]);

	for (size_t i = RA_MCP_REPORT; i < RA_MCP_FIELDS; i++) {
		if (!is_plain(fields[i])) {
			ra_util_text_format(text, "report, step, sort, limit and bytes are names "
			                          "and numbers\n");
			free(path);
			return false;
		}
	}
	if (path == NULL || (is_report && fields[RA_MCP_REPORT] == NULL)) {
		ra_util_text_format(text, path == NULL ? "no such file below the folders that can "
		                                         "be read; list names them\n"
		                                       : "report: which? list names them\n");
		free(path);
		return false;
	}
	add_word(&words, "analyzer", "");
	add_word(&words, is_report ? "stats" : is_why ? "why" : "analyze", "");
	add_word(&words, "--brief=", fields[RA_MCP_BYTES] != NULL ? fields[RA_MCP_BYTES] : "4000");
	if (is_report || is_why) {
		add_word(&words, "--steps=", fields[RA_MCP_STEP]);
	}
	if (is_report) {
		add_word(&words, "--report=", fields[RA_MCP_REPORT]);
		add_word(&words, "--sort=", fields[RA_MCP_SORT]);
		add_word(&words, "--limit=", fields[RA_MCP_LIMIT]);
	}
	add_word(&words, "", path);
	free(path);
	return run_words(&words, text);
}

bool ra_mcp_tools_call(const struct ra_mcp_roots *roots, const struct ra_mcp_request *request,
                       struct ra_util_text *text, bool *is_error)
{
	const char *tool = request->fields[RA_MCP_TOOL];

	if (tool == NULL) {
		return false;
	}
	if (strcmp(tool, "list") == 0) {
		*is_error = !list(roots, text);
		return true;
	}
	if (strcmp(tool, "why") != 0 && strcmp(tool, "summary") != 0 &&
	    strcmp(tool, "report") != 0) {
		return false;
	}
	*is_error = !call(roots, request, text);
	return true;
}
