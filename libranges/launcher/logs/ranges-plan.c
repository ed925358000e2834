/* SPDX-License-Identifier: MIT */
/* Prepares what a run needs before the program starts: the log's name, a spool directory, the
 * environment. */
#include "libranges/launcher/logs/ranges-plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/spool/facts.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"
#include "libranges/launcher/logs/ranges-aside.h"
#include "libranges/launcher/shared/ranges-find.h"
#include "libranges/launcher/shared/ranges-help.h"

/* The launcher has one thread. NOLINTBEGIN(concurrency-mt-unsafe) */

#define INJECTION_VARIABLE "NVTX_INJECTION64_PATH"
#define CHAIN_VARIABLE     "RANGES_NVTX_CHAIN"
#define CUDA_VARIABLE      "CUDA_INJECTION64_PATH"
#define MAX_NUMBER         9999
#define LOOKED_CYCLES      64u /* at most this many cycles of an earlier run are checked */

static struct rcap_facts facts; /* values for %h and %r */

const char *rcap_ranges_plan_shorten(const char *path)
{
	static char cwd[RCAP_CONFIG_PATH_BYTES];
	size_t length;

	if (getcwd(cwd, sizeof(cwd)) == NULL) {
		return path;
	}
	length = strlen(cwd);
	if (length > 1 && strncmp(path, cwd, length) == 0 && path[length] == '/') {
		return path + length + 1;
	}
	return path;
}

/* Copies the working directory and a slash. Doubles each "%". Return: length; 0 if it does not fit
 * or is unknown. */
static size_t copy_directory(char *out, size_t size)
{
	char cwd[RCAP_CONFIG_PATH_BYTES];
	size_t length = 0;

	if (getcwd(cwd, sizeof(cwd)) == NULL) {
		return 0;
	}
	for (const char *at = cwd; *at != '\0'; at++) {
		if (length + 3 >= size) {
			return 0;
		}
		out[length++] = *at;
		if (*at == '%') {
			out[length++] = '%';
		}
	}
	out[length++] = '/';
	return length;
}

/* Makes the pattern absolute, because the program may change its directory. */
static int make_absolute(char *out, size_t size, const char *pattern, struct rlog_error *err)
{
	size_t length = 0;

	if (pattern[0] != '/') {
		length = copy_directory(out, size);
	}
	if (length + strlen(pattern) >= size || (length == 0 && pattern[0] != '/')) {
		err->code = RLOG_E_FULL;
		rcap_log_format(err->message, sizeof(err->message), "the file name is too long");
		return -RLOG_E_FULL;
	}
	memcpy(out + length, pattern, strlen(pattern) + 1);
	return 0;
}

/* Expands a pattern to a name. @number: the rank; -1: unknown. */
static int expand(char *out, size_t size, const char *pattern, int64_t number,
                  struct rlog_error *err)
{
	struct rcap_output_names names = { .host = facts.host, .pid = getpid(), .is_root = true };
	char rank[24];

	if (number >= 0) {
		rcap_log_format(rank, sizeof(rank), "%ld", (long) number);
		names.rank = rank;
	}
	return rcap_output_make(out, size, pattern, &names, err);
}

static void report_unwritable(const struct rcap_ranges_plan *plan, const char *why)
{
	rcap_log_line(RCAP_LOG_WARN, "cannot write %s: %s%s",
	              rcap_ranges_plan_shorten(plan->output), why, plan->consequence);
}

/* Tries to create a file in the folder of the log. access(2) does not detect full or read-only file
 * systems. */
static bool is_directory_writable(const struct rcap_ranges_plan *plan)
{
	const char *const path = plan->output;
	char probe[RCAP_CONFIG_PATH_BYTES + 32];
	const char *const slash = strrchr(path, '/');
	int fd;

	rcap_log_format(probe, sizeof(probe), "%.*s.ranges-probe-%d", (int) (slash + 1 - path),
	                path, (int) getpid());
	fd = open(probe, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		report_unwritable(plan, rcap_ranges_help_errno(errno));
		return false;
	}
	close(fd);
	unlink(probe);
	return true;
}

static void note_kept(struct rcap_ranges_plan *plan, const char *exists, const char *instead)
{
	rcap_log_format(plan->exists, sizeof(plan->exists), "%s", exists);
	rcap_log_format(plan->instead, sizeof(plan->instead), "%s", instead);
}

void rcap_ranges_plan_tell_kept(struct rcap_ranges_plan *plan, bool has_log)
{
	char exists[RCAP_CONFIG_PATH_BYTES];
	struct stat st;

	if (plan->exists[0] == '\0' || (!has_log && lstat(plan->instead, &st) != 0)) {
		return;
	}
	rcap_log_format(exists, sizeof(exists), "%s", rcap_ranges_plan_shorten(plan->exists));
	rcap_log_line(RCAP_LOG_WARN, "%s exists: writing %s%s", exists,
	              rcap_ranges_plan_shorten(plan->instead), plan->remedy);
	plan->exists[0] = '\0';
}

/* Changes plan->output to the next free name. */
static bool choose_free_name(struct rcap_ranges_plan *plan)
{
	char *const path = plan->output;
	char numbered[RCAP_CONFIG_PATH_BYTES];
	struct stat st;

	for (unsigned number = 1; number <= MAX_NUMBER; number++) {
		if (rcap_output_number(numbered, sizeof(numbered), path, number) != 0) {
			break;
		}
		if (lstat(numbered, &st) != 0 && errno == ENOENT) {
			note_kept(plan, path, numbered);
			rcap_log_format(path, sizeof(plan->output), "%s", numbered);
			return true;
		}
	}
	report_unwritable(plan, "it exists, and no numbered name is free");
	return false;
}

/* Decides what to do if a file of that name exists. */
static bool make_room(struct rcap_ranges_plan *plan, bool replace)
{
	const char *const path = plan->output;
	struct stat st;
	int rc;

	if (lstat(path, &st) != 0) {
		return true;
	}
	if (!S_ISREG(st.st_mode)) {
		report_unwritable(plan, S_ISDIR(st.st_mode) ? "it is a directory"
		                                            : "it exists and is not a plain file");
		return false;
	}
	if (!replace) {
		return choose_free_name(plan);
	}
	rc = rcap_ranges_aside_put(path);
	if (rc != 0) {
		report_unwritable(plan, rcap_ranges_help_errno(rc));
		return false;
	}
	return true;
}

/* Makes a pattern that expands to this name. */
static int escape(char *out, size_t size, const char *name, struct rlog_error *err)
{
	size_t length = 0;

	for (; *name != '\0'; name++) {
		if (length + 3 > size) {
			err->code = RLOG_E_FULL;
			rcap_log_format(err->message, sizeof(err->message),
			                "the file name is too long");
			return -RLOG_E_FULL;
		}
		out[length++] = *name;
		if (*name == '%') {
			out[length++] = '%';
		}
	}
	out[length] = '\0';
	return 0;
}

/* Puts aside the logs that an earlier run left for ranks 0, 1, … up to the first rank without a
 * log. Only the processes learn their ranks, not we. So -f replaces logs of all ranks. */
static void put_ranks_aside(const struct rcap_ranges_plan *plan)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	struct stat st;

	for (int64_t rank = 0; expand(path, sizeof(path), plan->pattern, rank, NULL) == 0; rank++) {
		if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
		    rcap_ranges_aside_put(path) != 0) {
			break;
		}
	}
}

/* Makes the name of a cycle's log. Return: false if the cycle has no such name. */
static bool name_cycle(char *out, size_t size, const char *pattern, uint32_t cycle)
{
	struct rcap_output_names names = {
		.host = facts.host, .pid = getpid(), .cycle = cycle, .is_root = true
	};
	char rank[24];

	if (facts.rank >= 0) {
		rcap_log_format(rank, sizeof(rank), "%ld", (long) facts.rank);
		names.rank = rank;
	}
	return rcap_output_make(out, size, pattern, &names, NULL) == 0;
}

/* Puts aside the logs of an earlier run's cycles. */
static void put_cycles_aside(const struct rcap_ranges_plan *plan)
{
	char path[RCAP_CONFIG_PATH_BYTES];
	struct stat st;

	for (uint32_t cycle = 1; name_cycle(path, sizeof(path), plan->pattern, cycle); cycle++) {
		if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
		    rcap_ranges_aside_put(path) != 0) {
			break;
		}
	}
}

/* Finds a log of any cycle of an earlier run, because the user may have removed the first ones. */
static bool find_cycle(char *out, size_t size, const char *pattern)
{
	struct stat st;

	for (uint32_t cycle = 1; cycle <= LOOKED_CYCLES; cycle++) {
		if (name_cycle(out, size, pattern, cycle) && lstat(out, &st) == 0) {
			return true;
		}
	}
	return false;
}

/* Adds the next number to the pattern for which no cycle has a log. Without that number, each log
 * that exists would make the process put another number into its name. */
static void choose_free_cycles(struct rcap_ranges_plan *plan)
{
	char exists[RCAP_CONFIG_PATH_BYTES];
	char numbered[RCAP_CONFIG_PATH_BYTES];
	char path[RCAP_CONFIG_PATH_BYTES];

	if (!find_cycle(exists, sizeof(exists), plan->pattern)) {
		return;
	}
	for (unsigned number = 1; number <= MAX_NUMBER; number++) {
		if (rcap_output_number(numbered, sizeof(numbered), plan->pattern, number) != 0) {
			return;
		}
		if (!find_cycle(path, sizeof(path), numbered)) {
			if (name_cycle(path, sizeof(path), numbered, 1)) {
				note_kept(plan, exists, path);
				rcap_log_format(plan->pattern, sizeof(plan->pattern), "%s",
				                numbered);
			}
			return;
		}
	}
}

/* Stores the name of the log in plan->output, or "" if there will be several logs. If the program
 * may switch the capture itself, the name of the first log is known. */
static void plan_cycles(struct rcap_ranges_plan *plan, bool replace)
{
	if (replace) {
		put_cycles_aside(plan);
	} else {
		choose_free_cycles(plan);
	}
	if (plan->has_cycles || !name_cycle(plan->output, sizeof(plan->output), plan->pattern, 1)) {
		plan->output[0] = '\0';
	}
}

int rcap_ranges_plan_output(struct rcap_ranges_plan *plan, const char *pattern, bool replace,
                            struct rlog_error *err)
{
	bool is_open = rcap_output_has(pattern, 'p') || rcap_output_has(pattern, 'n');
	char begun[RCAP_CONFIG_PATH_BYTES];
	int rc;

	rcap_facts_collect(&facts);
	rc = make_absolute(plan->pattern, sizeof(plan->pattern), pattern, err);
	if (rc == 0) {
		rc = expand(plan->output, sizeof(plan->output), plan->pattern, facts.rank, err);
	}
	if (rc != 0) {
		return rc;
	}
	if (!is_directory_writable(plan)) {
		return 1;
	}
	if (!is_open && rcap_output_has(pattern, 'r') && facts.rank < 0) {
		/* The program may start ranks, like mpirun. The ranks choose their own names. */
		is_open = true;
		if (replace) {
			put_ranks_aside(plan);
		}
	}
	if (!is_open && (plan->has_cycles || rcap_output_has(pattern, 'c'))) {
		plan_cycles(plan, replace);
		return 0;
	}
	if (is_open) {
		plan->output[0] = '\0';
		return 0;
	}
	rcap_log_format(begun, sizeof(begun), "%s", plan->output);
	if (!make_room(plan, replace)) {
		return 1;
	}
	if (rcap_output_has(pattern, 'h') && strcmp(begun, plan->output) == 0) {
		return 0; /* with %h, names on other hosts are different */
	}
	return escape(plan->pattern, sizeof(plan->pattern), plan->output, err);
}

bool rcap_ranges_plan_library(struct rcap_ranges_plan *plan, const char *wanted)
{
	if (rcap_ranges_find_library(plan->library, sizeof(plan->library), wanted)) {
		return true;
	}
	rcap_log_line(RCAP_LOG_WARN, "no library to load at %s; the program runs without capture",
	              plan->library);
	return false;
}

static bool make_run_dir(struct rcap_ranges_plan *plan, const char *base)
{
	char *const out = plan->run_dir;
	const size_t size = sizeof(plan->run_dir);

	if (base == NULL || base[0] != '/' || strlen(base) + 16 > size) {
		return false;
	}
	rcap_log_format(out, size, "%s/ranges-XXXXXX", base);
	if (mkdtemp(out) == NULL) { /* makes a directory with mode 0700 and an unused name */
		return false;
	}
	/* Keeps the directory locked as long as we live, because we complete the logs in it. */
	plan->run_fd = open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (plan->run_fd >= 0) {
		(void) flock(plan->run_fd, LOCK_SH | LOCK_NB);
	}
	return true;
}

bool rcap_ranges_plan_run_dir(struct rcap_ranges_plan *plan, const char *wanted)
{
	const char *const bases[] = { "/dev/shm", secure_getenv("TMPDIR"), "/tmp" };
	char absolute[RCAP_CONFIG_PATH_BYTES];

	if (wanted[0] != '\0') {
		if (realpath(wanted, absolute) != NULL && make_run_dir(plan, absolute)) {
			return true;
		}
		rcap_log_line(RCAP_LOG_WARN,
		              "cannot use RANGES_SPOOL_DIR=%s: %s; using the default", wanted,
		              rcap_ranges_help_errno(errno));
	}
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		if (make_run_dir(plan, bases[i])) {
			return true;
		}
	}
	plan->run_dir[0] = '\0';
	rcap_log_line(RCAP_LOG_WARN,
	              "no directory for the spool (%s): if the program is killed, its last events "
	              "are lost",
	              rcap_ranges_help_errno(errno));
	return false;
}

void rcap_ranges_plan_leave_run_dir(struct rcap_ranges_plan *plan)
{
	if (plan->run_fd >= 0) {
		close(plan->run_fd);
		plan->run_fd = -1;
	}
}

void rcap_ranges_plan_forget_outer(void)
{
	unsetenv("RANGES_RUN_DIR");
	unsetenv("RANGES_ROOT_PID");
	unsetenv("RANGES_CHECKED");
}

void rcap_ranges_plan_withdraw(void)
{
	unsetenv(INJECTION_VARIABLE);
	unsetenv(CUDA_VARIABLE);
	unsetenv(CHAIN_VARIABLE);
	unsetenv("RANGES_OUTPUT");
	rcap_ranges_plan_forget_outer();
}

/* True if the path leads to libranges itself: this copy or another one. */
static bool is_libranges(const struct rcap_ranges_plan *plan, const char *path)
{
	static const char name[] = "libranges.so";
	const char *const slash = strrchr(path, '/');

	return strcmp(path, plan->library) == 0 ||
	       strncmp(slash != NULL ? slash + 1 : path, name, sizeof(name) - 1) == 0;
}

/* True if a tool whose folder is given exists and has NVTX's entry point. A tool without a folder
 * is left to the dynamic linker. */
static bool is_loadable(const char *path)
{
	static const char entry[] = "InitializeInjectionNvtx";
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *text = MAP_FAILED;
	bool has_entry = false;
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		text = mmap(NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	if (text != MAP_FAILED) {
		has_entry = memmem(text, (size_t) st.st_size, entry, sizeof(entry) - 1) != NULL;
		munmap(text, (size_t) st.st_size);
	}
	if (fd >= 0) {
		close(fd);
	}
	return has_entry || strchr(path, '/') == NULL;
}

/* If another tool is set in the environment, chains it behind us, so that it gets all calls. */
static void chain_other(const struct rcap_ranges_plan *plan)
{
	const char *const other = getenv(INJECTION_VARIABLE);
	const char *const chained = getenv(CHAIN_VARIABLE);

	if (other == NULL || other[0] == '\0' || is_libranges(plan, other)) {
		return;
	}
	if (chained != NULL && chained[0] != '\0') {
		if (strcmp(chained, other) != 0) {
			rcap_log_line(RCAP_LOG_WARN, "%s=%s is replaced for this program by %s=%s",
			              INJECTION_VARIABLE, other, CHAIN_VARIABLE, chained);
		}
		return;
	}
	setenv(CHAIN_VARIABLE, other, 1);
	/* If the tool can't be loaded, libranges.so in the program reports it with the reason. */
	if (is_loadable(other)) {
		rcap_log_line(RCAP_LOG_WARN, "%s=%s also gets all calls", INJECTION_VARIABLE,
		              other);
	}
}

/* Sets CUDA's variable, unless a tool is set already. The driver loads only one tool, and CUPTI
 * serves only one. */
static void export_cuda(const struct rcap_ranges_plan *plan, bool is_off)
{
	const char *const other = getenv(CUDA_VARIABLE);
	const bool is_other = other != NULL && other[0] != '\0' && !is_libranges(plan, other);

	if (is_off) {
		if (other != NULL && !is_other) {
			unsetenv(CUDA_VARIABLE); /* the variable is from an outer run */
		}
	} else if (is_other) {
		rcap_log_line(RCAP_LOG_WARN, "%s=%s keeps its place: no GPU data", CUDA_VARIABLE,
		              other);
	} else {
		setenv(CUDA_VARIABLE, plan->library, 1);
	}
}

void rcap_ranges_plan_export(const struct rcap_ranges_plan *plan, bool is_cuda_off)
{
	chain_other(plan);
	export_cuda(plan, is_cuda_off);
	setenv(INJECTION_VARIABLE, plan->library, 1);
	setenv("RANGES_OUTPUT", plan->pattern, 1);
	setenv("RANGES_CHECKED", "1", 1);
	if (plan->run_dir[0] != '\0') {
		setenv("RANGES_RUN_DIR", plan->run_dir, 1);
	}
}

/* NOLINTEND(concurrency-mt-unsafe) */
