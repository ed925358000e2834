/* SPDX-License-Identifier: MIT */
/* Handles the terminal on standard output: its width, colours, and a pager for long output. */
#include "analyzer/commands/shared/screen.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/commands/shared/cmd.h"

#define PIPE_WIDTH 120u
#define MAX_WIDTH  1000000u

enum when {
	WHEN_AUTO,
	WHEN_NEVER,
	WHEN_ALWAYS
};

/* The state is global, because there is one program and one terminal. */
static struct {
	enum when color;
	bool has_no_pager;
	bool is_told;  /* the user was already told that a setting makes no sense */
	bool is_asked; /* the members below are known */
	bool is_smart; /* the terminal understands control sequences */
	size_t width;
	pid_t pager;      /* 0: there is none */
	int stderr_saved; /* a copy of stderr while there is a pager; -1: stderr was not
	                     redirected */
} screen;

int ra_cmd_screen_take(const char *word, bool *is_taken)
{
	static const char option[] = "--color=";
	static const char *const words[] = { "auto", "never", "no", "always", "yes", NULL };
	static const enum when meant[] = { WHEN_AUTO, WHEN_NEVER, WHEN_NEVER, WHEN_ALWAYS,
		                           WHEN_ALWAYS };
	int choice;

	*is_taken = true;
	if (strcmp(word, "--no-pager") == 0) {
		screen.has_no_pager = true;
		return 0;
	}
	if (strcmp(word, "--color") == 0) {
		screen.color = WHEN_ALWAYS;
		return 0;
	}
	*is_taken = strncmp(word, option, sizeof(option) - 1) == 0;
	if (!*is_taken) {
		return 0;
	}
	choice = ra_cmd_choose("--color", word + sizeof(option) - 1, words);
	screen.color = choice < 0 ? WHEN_AUTO : meant[choice];
	return choice < 0 ? RA_CMD_USAGE : 0;
}

/* Asks for the terminal's width only once, because a pager replaces the terminal. */
static void ask(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *kind = getenv("TERM");
	struct winsize window = { 0 };

	if (screen.is_asked) {
		return;
	}
	screen.is_asked = true;
	if (isatty(STDOUT_FILENO)) {
		screen.is_smart = kind != NULL && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
		screen.width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
	}
}

size_t ra_cmd_screen_width(void)
{
	ask();
	return screen.width;
}

size_t ra_cmd_screen_text_width(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *setting = getenv("RANGES_WIDTH");
	char *end = NULL;
	const unsigned long width = setting != NULL ? strtoul(setting, &end, 10) : 0;

	if (ra_cmd_screen_width() > 0) {
		return screen.width;
	}
	if (setting == NULL || setting[0] == '\0') {
		return PIPE_WIDTH;
	}
	if (isdigit((unsigned char) setting[0]) && *end == '\0' && width <= MAX_WIDTH) {
		return width;
	}
	if (!screen.is_told) {
		fprintf(stderr,
		        "analyzer: RANGES_WIDTH=%.40s is not valid: expected columns, 0 (none) to "
		        "%u; using %u\n",
		        setting, (unsigned) MAX_WIDTH, (unsigned) PIPE_WIDTH);
		screen.is_told = true;
	}
	return PIPE_WIDTH;
}

bool ra_cmd_screen_has_color(void)
{
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *no = getenv("NO_COLOR");

	ask();
	return screen.color == WHEN_AUTO ? screen.is_smart && (no == NULL || no[0] == '\0')
	                                 : screen.color == WHEN_ALWAYS;
}

/* True if the first word of a command is an executable program. */
static bool is_there(const char *command)
{
	const size_t length = strcspn(command, " \t");
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	const char *folder = getenv("PATH");
	char path[4096];

	if (memchr(command, '/', length) != NULL) {
		snprintf(path, sizeof(path), "%.*s", (int) length, command);
		return access(path, X_OK) == 0;
	}
	while (folder != NULL && *folder != '\0') {
		const size_t size = strcspn(folder, ":");

		snprintf(path, sizeof(path), "%.*s/%.*s", (int) size, folder, (int) length,
		         command);
		if (access(path, X_OK) == 0) {
			return true;
		}
		folder += size + (folder[size] == ':');
	}
	return false;
}

/* Finds the command of the pager. Return: NULL: there is none. */
static const char *find_pager(void)
{
	static const char *const names[] = { "RANGES_PAGER", "PAGER" };
	const char *pager = NULL;

	ask();
	for (size_t i = 0; i < 2 && pager == NULL; i++) {
		pager = getenv(names[i]); // NOLINT(concurrency-mt-unsafe): there is one thread
	}
	pager = pager == NULL ? "less" : pager;
	return !screen.is_smart || screen.has_no_pager || screen.pager != 0 || pager[0] == '\0' ||
	                       strcmp(pager, "cat") == 0 || !is_there(pager)
	               ? NULL
	               : pager;
}

/* Runs the pager, in the child. The variables make less quit at once if all text fits, show
 * colours, and leave the text on the screen. */
static void run_pager(const char *pager, int input)
{
	(void) dup2(input, STDIN_FILENO);
	close(input);
	// NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
	(void) setenv("LESS", "FRX", 0);
	(void) setenv("LV", "-c", 0);
	(void) setenv("LESSCHARSET", "utf-8", 0);
	// NOLINTEND(concurrency-mt-unsafe)
	execl("/bin/sh", "sh", "-c", pager, (char *) NULL);
	_exit(127);
}

void ra_cmd_screen_page(void)
{
	const char *pager = find_pager();
	int ends[2];
	pid_t child;

	if (pager == NULL || pipe(ends) != 0) {
		return;
	}
	fflush(stdout);
	child = fork();
	if (child == 0) {
		close(ends[1]);
		run_pager(pager, ends[0]);
	}
	close(ends[0]);
	if (child > 0) {
		screen.pager = child;
		screen.stderr_saved = isatty(STDERR_FILENO) ? dup(STDERR_FILENO) : -1;
		(void) dup2(ends[1], STDOUT_FILENO);
		if (screen.stderr_saved >= 0) {
			(void) dup2(ends[1], STDERR_FILENO);
		}
		(void) signal(SIGINT, SIG_IGN); /* the pager handles keys; when it ends, this
		                                   program ends */
	}
	close(ends[1]);
}

void ra_cmd_screen_end(void)
{
	if (screen.pager == 0) {
		return;
	}
	if (screen.stderr_saved >= 0) {
		(void) dup2(screen.stderr_saved, STDERR_FILENO);
		close(screen.stderr_saved);
	}
	(void) waitpid(screen.pager, NULL, 0);
	screen.pager = 0;
}
