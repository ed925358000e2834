/* SPDX-License-Identifier: MIT */
/*
 * The terminal of `ranges top`: its keys and its display. It uses the few sequences that all of
 * today's terminals know, so it needs no library where programs run.
 */
#include "libranges/launcher/top/ranges-top-screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define ENTER   "\033[?1049h\033[?25l"
#define LEAVE   "\033[?25h\033[?1049l"
#define HOME    "\033[H"
#define REVERSE "\033[7m"
#define PLAIN   "\033[0m"
#define REST    "\033[K" /* clears the rest of the line */
#define BELOW   "\033[J" /* clears all lines below */

static struct {
	struct rcap_ranges_top_options *options; /* borrowed; NULL if the screen is not open */
	struct termios before;
	char *text;        /* owned */
	size_t first_line; /* number of the first line that is on the screen */
	char filter[64];
	bool is_paused;
	bool is_typing; /* the user is typing a filter */
	bool wants_snapshot;
	char told[300]; /* shown instead of the keys; "": the keys are shown */
} screen;

static volatile sig_atomic_t is_over;

static void on_signal(int number)
{
	(void) number;
	is_over = 1;
}

static void put(const char *bytes, size_t length)
{
	while (length > 0) {
		const ssize_t count = write(STDOUT_FILENO, bytes, length);

		if (count < 0 && errno != EINTR) {
			is_over = 1;
			return;
		}
		bytes += count > 0 ? count : 0;
		length -= count > 0 ? (size_t) count : 0;
	}
}

/* Returns how many bytes of a line fit in a number of columns. Each character takes one column. */
static size_t cut_line(const char *line, size_t length, unsigned columns)
{
	unsigned used = 0;

	for (size_t i = 0; i < length; i++) {
		used += ((unsigned char) line[i] & 0xC0) != 0x80;
		if (used > columns) {
			return i;
		}
	}
	return length;
}

static void put_line(FILE *out, const char *line, size_t length, unsigned columns)
{
	fwrite(line, 1, cut_line(line, length, columns), out);
	fputs(REST "\r\n", out);
}

/* Prints the keys and the present choices. */
static void put_keys(FILE *out, unsigned columns)
{
	char line[300];

	if (screen.told[0] != '\0') {
		snprintf(line, sizeof(line), "%s", screen.told);
	} else if (screen.is_typing) {
		snprintf(line, sizeof(line), "names that hold: %s_", screen.filter);
	} else {
		snprintf(line, sizeof(line),
		         "q quit  p %s  s sort: %s  / filter%s%s  w snapshot  arrows scroll",
		         screen.is_paused ? "go on" : "pause",
		         rcap_ranges_top_order(screen.options->order),
		         screen.filter[0] != '\0' ? ": " : "", screen.filter);
	}
	fputs(REVERSE, out);
	fwrite(line, 1, cut_line(line, strlen(line), columns), out);
	fputs(REST PLAIN BELOW, out);
}

static void draw(void)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	char *bytes = NULL;
	size_t length = 0;
	FILE *const out = open_memstream(&bytes, &length);
	const char *line = screen.text ? screen.text : "";
	unsigned row = 0;

	if (!out) {
		return;
	}
	(void) ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	for (size_t i = 0; i < screen.first_line && strchr(line, '\n'); i++) {
		line = strchr(line, '\n') + 1;
	}
	fputs(HOME, out);
	for (; *line != '\0' && row + 1 < size.ws_row; row++) {
		const size_t bytes_of = strcspn(line, "\n");

		put_line(out, line, bytes_of, size.ws_col);
		line += bytes_of + (line[bytes_of] == '\n');
	}
	put_keys(out, size.ws_col);
	if (fclose(out) == 0) {
		put(bytes, length);
	}
	free(bytes);
}

static void type(char key)
{
	const size_t length = strlen(screen.filter);

	if (key == '\r' || key == '\n' || key == '\033') {
		screen.is_typing = false;
	} else if (key == 0x7F || key == '\b') {
		screen.filter[length > 0 ? length - 1 : 0] = '\0';
	} else if ((unsigned char) key >= ' ' && length + 1 < sizeof(screen.filter)) {
		screen.filter[length] = key;
		screen.filter[length + 1] = '\0';
	}
}

/* Handles a key. @key: a byte, or the last of an arrow's three bytes. */
static void take_key(char key, bool is_arrow)
{
	if (is_arrow ? key == 'B' : key == 'j') {
		screen.first_line++;
	} else if (is_arrow ? key == 'A' : key == 'k') {
		screen.first_line -= screen.first_line > 0;
	} else if (is_arrow) {
		return;
	} else if (key == 'q') {
		is_over = 1;
	} else if (key == 'p' || key == ' ') {
		screen.is_paused = !screen.is_paused;
	} else if (key == 'w') {
		screen.wants_snapshot = true;
	} else if (key == 's') {
		screen.options->order =
			(enum rcap_ranges_order)((screen.options->order + 1) % RCAP_RANGES_ORDERS);
	} else if (key == '/') {
		screen.is_typing = true;
		screen.filter[0] = '\0';
	}
}

/* Handles all keys that were typed so far. */
static void take_keys(const char *keys)
{
	while (*keys != '\0') {
		const bool is_arrow = keys[0] == '\033' && keys[1] == '[' && keys[2] != '\0';

		if (screen.is_typing && !is_arrow) {
			type(*keys);
		} else {
			take_key(is_arrow ? keys[2] : *keys, is_arrow);
		}
		keys += is_arrow ? 3 : 1;
	}
}

bool rcap_ranges_top_screen_wait(int ms)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	char keys[16];
	ssize_t count;

	if (poll(&input, 1, ms) > 0) {
		count = read(STDIN_FILENO, keys, sizeof(keys) - 1);
		if (count <= 0) {
			return false; /* the terminal does not exist any more */
		}
		keys[count] = '\0';
		screen.told[0] = '\0';
		take_keys(keys);
		draw();
	}
	return is_over == 0;
}

bool rcap_ranges_top_screen_is_paused(void)
{
	return screen.is_paused;
}

bool rcap_ranges_top_screen_takes_snapshot(void)
{
	const bool wants = screen.wants_snapshot;

	screen.wants_snapshot = false;
	return wants;
}

void rcap_ranges_top_screen_tell(const char *line)
{
	snprintf(screen.told, sizeof(screen.told), "%s", line);
	draw();
}

void rcap_ranges_top_screen_show(char *text)
{
	free(screen.text);
	screen.text = text;
	draw();
}

bool rcap_ranges_top_screen_open(struct rcap_ranges_top_options *options)
{
	const char *const kind = secure_getenv("TERM");
	const struct sigaction action = { .sa_handler = on_signal };
	struct termios raw;

	if (!kind || kind[0] == '\0' || strcmp(kind, "dumb") == 0 || !isatty(STDIN_FILENO) ||
	    tcgetattr(STDIN_FILENO, &screen.before) != 0) {
		return false;
	}
	raw = screen.before;
	raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) {
		return false;
	}
	(void) sigaction(SIGINT, &action, NULL);
	(void) sigaction(SIGTERM, &action, NULL);
	(void) sigaction(SIGHUP, &action, NULL);
	screen.options = options;
	snprintf(screen.filter, sizeof(screen.filter), "%s", options->filter);
	options->filter = screen.filter;
	put(ENTER, strlen(ENTER));
	return true;
}

void rcap_ranges_top_screen_close(void)
{
	if (screen.options) {
		put(LEAVE, strlen(LEAVE));
		(void) tcsetattr(STDIN_FILENO, TCSANOW, &screen.before);
		screen.options = NULL;
	}
	free(screen.text);
	screen.text = NULL;
}
