/* SPDX-License-Identifier: MIT */
/* Collects once what a log says about its process, stores it as plain bytes, and gives it to the
 * writer as facts. */
#include "libranges/spool/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"

/* Variables that have the rank, the most specific ones first: torchrun may run under Slurm, but
 * Slurm not under torchrun. */
static const struct {
	const char *rank;
	const char *size; /* NULL: this launcher sets no such variable */
	bool needs_size;  /* used only if `size` is set, too: the name of `rank` is so common that
	                   * others may use it */
} rank_variables[] = {
	{ "RANK", "WORLD_SIZE", true },
	{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false },
	{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", false },
	{ "PMI_RANK", "PMI_SIZE", false },
	{ "PMIX_RANK", NULL, false },
	{ "PALS_RANKID", NULL, false },
	{ "FLUX_TASK_RANK", "FLUX_JOB_SIZE", false },
	{ "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", false },
	{ "SLURM_PROCID", "SLURM_NTASKS", false },
	{ "RANK", NULL, false }, /* for scripts that start the ranks themselves; used if no
	                          * launcher's variable is set */
};

/* Parses a decimal number up to 2^31-1. Return: -1 if the text is not such a number. */
static int64_t read_number(const char *text)
{
	int64_t value = 0;

	if (text == NULL || text[0] == '\0') {
		return -1;
	}
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || value > INT32_MAX / 10) {
			return -1;
		}
		value = value * 10 + (*text - '0');
	}
	return value;
}

void rcap_facts_find_rank(struct rcap_facts *out)
{
	out->rank = -1;
	out->world_size = -1;
	out->rank_source[0] = '\0';
	for (size_t i = 0; i < sizeof(rank_variables) / sizeof(rank_variables[0]); i++) {
		const int64_t rank = read_number(secure_getenv(rank_variables[i].rank));
		int64_t world_size = -1;

		if (rank_variables[i].size != NULL) {
			world_size = read_number(secure_getenv(rank_variables[i].size));
		}
		if (rank < 0 || (rank_variables[i].needs_size && world_size < 0)) {
			continue;
		}
		out->rank = rank;
		out->world_size = world_size;
		rcap_log_format(out->rank_source, sizeof(out->rank_source), "%s",
		                rank_variables[i].rank);
		return;
	}
}

/* Reads a small file. Return: number of bytes; 0 if there are none, or the file can't be read. */
static size_t read_file(const char *path, char *out, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;

	if (fd < 0) {
		return 0;
	}
	while (length < size) {
		const ssize_t got = read(fd, out + length, size - length);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			break;
		}
		length += (size_t) got;
	}
	close(fd);
	return length;
}

static void read_argv(struct rcap_facts *out)
{
	const size_t length = read_file("/proc/self/cmdline", out->argv, sizeof(out->argv));

	out->argv_cut = length == sizeof(out->argv);
	out->argv[sizeof(out->argv) - 1] = '\0';
	out->argv_bytes = (uint32_t) length;
}

/* Environment variables that change what is measured. */
static const char *const variables[] = {
	"CUDA_LAUNCH_BLOCKING",
	"HIP_LAUNCH_BLOCKING",
	"AMD_SERIALIZE_KERNEL",
	"CUDA_DEVICE_MAX_CONNECTIONS",
	"CUDA_MODULE_LOADING",
	"NVIDIA_TF32_OVERRIDE",
	"NCCL_DEBUG",
	"NCCL_BLOCKING_WAIT",
	"TORCH_NCCL_BLOCKING_WAIT",
	"TORCH_DISTRIBUTED_DEBUG",
	"PYTORCH_NO_CUDA_MEMORY_CACHING",
	"PYTORCH_NO_HIP_MEMORY_CACHING",
};

_Static_assert(sizeof(variables) / sizeof(variables[0]) * RCAP_FACTS_VARIABLE_BYTES <=
                       RCAP_FACTS_ENVIRONMENT_BYTES,
               "there is room for all");

static void read_environment(struct rcap_facts *out)
{
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = secure_getenv(variables[i]);

		if (value != NULL) {
			char *text = out->environment + out->environment_bytes;

			out->environment_bytes +=
				(uint32_t) rcap_log_format(text, RCAP_FACTS_VARIABLE_BYTES, "%s=%s",
			                                   variables[i], value) +
				1;
		}
	}
}

static void read_boot_id(struct rcap_facts *out)
{
	const size_t length = read_file("/proc/sys/kernel/random/boot_id", out->boot_id,
	                                sizeof(out->boot_id) - 1);

	out->boot_id[length] = '\0';
	out->boot_id[strcspn(out->boot_id, "\n")] = '\0';
}

static void read_exe(struct rcap_facts *out)
{
	const ssize_t length = readlink("/proc/self/exe", out->exe, sizeof(out->exe) - 1);

	out->exe[length < 0 ? 0 : length] = '\0';
}

static void make_capture_id(struct rcap_facts *out)
{
	static const char hex[] = "0123456789abcdef";
	unsigned char bytes[16];

	if (getrandom(bytes, sizeof(bytes), GRND_NONBLOCK) != (ssize_t) sizeof(bytes)) {
		/* Random bytes may be refused, early in the boot or by a filter. Then the pid and
		 * the time still make captures of one machine different. */
		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, &out->pid, 8);
		memcpy(bytes + 8, &out->start_real_ns, 8);
	}
	for (size_t i = 0; i < sizeof(bytes); i++) {
		out->capture_id[2 * i] = hex[bytes[i] >> 4];
		out->capture_id[2 * i + 1] = hex[bytes[i] & 15];
	}
	out->capture_id[2 * sizeof(bytes)] = '\0';
}

void rcap_facts_collect(struct rcap_facts *out)
{
	const int saved_errno = errno;
	struct utsname name;

	memset(out, 0, sizeof(*out));
	out->pid = getpid();
	out->ppid = getppid();
	out->uid = getuid();
	out->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	out->start_mono_ns = rcap_clock_mono_ns();
	out->start_real_ns = rcap_clock_real_ns();
	rcap_facts_find_rank(out);
	if (uname(&name) == 0) {
		rcap_log_format(out->host, sizeof(out->host), "%s", name.nodename);
		rcap_log_format(out->arch, sizeof(out->arch), "%s", name.machine);
		rcap_log_format(out->os, sizeof(out->os), "%s %s", name.sysname, name.release);
	}
	make_capture_id(out);
	read_boot_id(out);
	read_exe(out);
	read_argv(out);
	read_environment(out);
	if (getcwd(out->cwd, sizeof(out->cwd)) == NULL) {
		out->cwd[0] = '\0';
	}
	errno = saved_errno;
}

static struct rlog_fact *add_fact(struct rcap_facts_list *list, const char *key,
                                  enum rlog_fact_type type)
{
	struct rlog_fact *fact;

	if (list->count == RCAP_FACTS_MAX) {
		list->is_full = true;
		return NULL;
	}
	fact = &list->facts[list->count++];
	memset(fact, 0, sizeof(*fact));
	fact->key = key;
	fact->type = type;
	return fact;
}

static bool add_string(struct rcap_facts_list *list, const char *bytes, size_t length)
{
	struct rlog_string *string;

	if (list->text_count == RCAP_FACTS_TEXT_MAX) {
		list->is_full = true;
		return false;
	}
	string = &list->texts[list->text_count++];
	string->bytes = bytes;
	string->length = (uint32_t) length;
	string->full_length = (uint32_t) length;
	return true;
}

/* Adds a text member of rcap_facts. In a damaged spool its NUL may be missing. */
static void add_member(struct rcap_facts_list *list, const char *key, const char *text, size_t size)
{
	const size_t length = strnlen(text, size);
	struct rlog_fact *fact;

	if (length == 0 || !add_string(list, text, length)) {
		return;
	}
	fact = add_fact(list, key, RLOG_FACT_TEXT);
	if (fact != NULL) {
		fact->texts = &list->texts[list->text_count - 1];
		fact->text_count = 1;
	}
}

void rcap_facts_list_add_text(struct rcap_facts_list *list, const char *key, const char *text)
{
	add_member(list, key, text, RCAP_FACTS_PATH_BYTES);
}

void rcap_facts_list_add_u64(struct rcap_facts_list *list, const char *key, uint64_t value)
{
	struct rlog_fact *const fact = add_fact(list, key, RLOG_FACT_U64);

	if (fact != NULL) {
		fact->u64 = value;
	}
}

void rcap_facts_list_add_bool(struct rcap_facts_list *list, const char *key, bool value)
{
	struct rlog_fact *const fact = add_fact(list, key, RLOG_FACT_BOOL);

	if (fact != NULL) {
		fact->u64 = value;
	}
}

void rcap_facts_list_add_texts(struct rcap_facts_list *list, const char *key, const char *block,
                               size_t bytes)
{
	const size_t first = list->text_count;
	struct rlog_fact *fact;
	size_t at = 0;

	while (at < bytes) {
		const size_t length = strnlen(block + at, bytes - at);

		if (!add_string(list, block + at, length)) {
			break;
		}
		at += length + 1;
	}
	if (list->text_count == first) {
		return;
	}
	fact = add_fact(list, key, RLOG_FACT_TEXTS);
	if (fact != NULL) {
		fact->texts = &list->texts[first];
		fact->text_count = list->text_count - first;
	}
}

/* Adds a number, unless it is negative: -1 means "not known". */
static void add_known(struct rcap_facts_list *list, const char *key, int64_t value)
{
	if (value >= 0) {
		rcap_facts_list_add_u64(list, key, (uint64_t) value);
	}
}

void rcap_facts_list_init(struct rcap_facts_list *out, const struct rcap_facts *facts)
{
	const size_t argv_bytes =
		facts->argv_bytes < sizeof(facts->argv) ? facts->argv_bytes : sizeof(facts->argv);
	const size_t environment_bytes = facts->environment_bytes < sizeof(facts->environment)
	                                         ? facts->environment_bytes
	                                         : sizeof(facts->environment);

	out->count = 0;
	out->text_count = 0;
	out->is_full = false;
	add_member(out, "capture_id", facts->capture_id, sizeof(facts->capture_id));
	add_member(out, "host", facts->host, sizeof(facts->host));
	add_known(out, "pid", facts->pid);
	add_known(out, "ppid", facts->ppid);
	add_known(out, "uid", facts->uid);
	add_member(out, "exe", facts->exe, sizeof(facts->exe));
	add_member(out, "cwd", facts->cwd, sizeof(facts->cwd));
	rcap_facts_list_add_texts(out, "argv", facts->argv, argv_bytes);
	add_member(out, "boot_id", facts->boot_id, sizeof(facts->boot_id));
	add_member(out, "arch", facts->arch, sizeof(facts->arch));
	add_member(out, "os", facts->os, sizeof(facts->os));
	add_known(out, "cpus", facts->cpus);
	rcap_facts_list_add_u64(out, "start_mono_ns", facts->start_mono_ns);
	rcap_facts_list_add_u64(out, "start_real_ns", facts->start_real_ns);
	add_known(out, "rank", facts->rank);
	add_known(out, "world_size", facts->world_size);
	add_member(out, "rank_source", facts->rank_source, sizeof(facts->rank_source));
	rcap_facts_list_add_texts(out, "environment", facts->environment, environment_bytes);
}
