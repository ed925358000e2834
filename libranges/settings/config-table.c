/* SPDX-License-Identifier: MIT */
/* The table of all RANGES_* environment variables. */
#include "libranges/settings/config.h"

#define KIB    UINT64_C(1024)
#define MIB    (KIB * 1024)
#define GIB    (MIB * 1024)
#define DAY_NS (UINT64_C(24) * 3600 * 1000000000)

static const char *const on_full_choices[] = { "drop", "block", NULL };
static const char *const thread_choices[] = { "on", "off", NULL };
static const char *const off_on_choices[] = { "off", "on", NULL };
static const char *const off_auto_choices[] = { "off", "auto", NULL };
static const char *const clock_choices[] = { "auto", "tsc", "monotonic", NULL };
static const char *const log_choices[] = { "quiet", "error", "warn", "info", "debug", NULL };

#define MEMBER(member)                                  \
	.offset = offsetof(struct rcap_config, member), \
	.size = sizeof(((struct rcap_config *) NULL)->member)

static const struct rcap_variable table[] = {
	{ .name = "RANGES_OUTPUT",
	  .kind = RCAP_KIND_TEXT,
	  .default_text = "trace.bin",
	  MEMBER(output),
	  .help = "file name of the log; %p is the pid, %h the host, %r the rank, %n the first "
	          "free "
	          "number, %c the cycle of a capture that is on more than once, %q{NAME} the value "
	          "of an environment variable, %% a percent sign" },
	{ .name = "RANGES_BUFFER",
	  .kind = RCAP_KIND_BYTES,
	  .default_text = "512M",
	  .min = MIB,
	  .max = 1024 * GIB,
	  MEMBER(buffer_bytes),
	  .help = "the most spool memory that one process may use. It is also limited to half of "
	          "the free space of the spool's file system, and to a quarter of the free memory "
	          "(of the machine, the memory cgroup, ulimit -v). It shrinks when these shrink" },
	{ .name = "RANGES_SPOOL_DIR",
	  .kind = RCAP_KIND_PATH,
	  .default_text = "",
	  MEMBER(spool_dir),
	  .help = "directory for the spool (if not set: /dev/shm, else TMPDIR, else /tmp)" },
	{ .name = "RANGES_ON_FULL",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "drop",
	  .choices = on_full_choices,
	  MEMBER(on_full),
	  .help = "what happens when the buffer is full: drop new events and count them, or block "
	          "the program until there is room. Even then a thread's first 16 KiB and names "
	          "may exceed the buffer's size, by 64 MiB at most" },
	{ .name = "RANGES_THREAD",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "on",
	  .choices = thread_choices,
	  MEMBER(threads),
	  .help = "off: no libranges thread in the program, for sandboxes that forbid threads. "
	          "\"ranges run\" then writes the log from outside; without \"ranges run\" the "
	          "program writes it at its exit. Nothing of CUDA is recorded. If not set, "
	          "\"ranges run\" chooses off for programs that are linked with libseccomp and not "
	          "with CUDA (also not with its static runtime)" },
	{ .name = "RANGES_SCHEDULE",
	  .kind = RCAP_KIND_SCHEDULE,
	  .default_text = "",
	  MEMBER(schedule),
	  .help = "record these steps, in torch.profiler's words: "
	          "skip=N,wait=N,warmup=N,active=N,repeat=N,on=NAME@DOMAIN. It skips skip (or "
	          "skip_first) steps once. Each cycle then has wait steps off, warmup steps "
	          "dropped, and active "
	          "steps recorded, in a log of its own. repeat=0: cycles until the program ends. A "
	          "step begins with ranges_step() or, with on=, with each range of that name; at "
	          "its end #N stands for # and any number, # for any number, * for anything" },
	{ .name = "RANGES_CAPTURE_RANGE",
	  .kind = RCAP_KIND_RANGE,
	  .default_text = "",
	  MEMBER(capture_range),
	  .help = "record while a range of this name is open: NAME[@DOMAIN][:first|:each|:N] (the "
	          "first of them, each, or the first N). Each gives a log. cudaProfilerApi stands "
	          "for the time between cudaProfilerStart and cudaProfilerStop" },
	{ .name = "RANGES_DELAY",
	  .kind = RCAP_KIND_TIME,
	  .default_text = "0",
	  .max = 366 * DAY_NS,
	  MEMBER(delay_ns),
	  .help = "the capture begins so long after the program: 10s, 0.5s, 500ms, 5m, 1h" },
	{ .name = "RANGES_DURATION",
	  .kind = RCAP_KIND_TIME,
	  .default_text = "0",
	  .max = 366 * DAY_NS,
	  MEMBER(duration_ns),
	  .help = "the capture ends after so long; 0: it ends with the program" },
	{ .name = "RANGES_STANDBY",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "off",
	  .choices = off_on_choices,
	  MEMBER(standby),
	  .help = "on: the capture is off until \"ranges ctl start\" or ranges_start(). It can be "
	          "started any number of times, each time with a new log" },
	{ .name = "RANGES_KEEP",
	  .kind = RCAP_KIND_KEEP,
	  .default_text = "",
	  MEMBER(keep),
	  .help = "keep the last part and drop older events: 30s, 64M, or 30s,64M for whichever is "
	          "less. A time keeps up to a sixteenth more, a size up to a sixteenth less. The "
	          "part goes to a log at the program's end, however it ends, and when \"ranges ctl "
	          "snapshot\" or ranges_snapshot() asks for it" },
	{ .name = "RANGES_WHEN",
	  .kind = RCAP_KIND_WHEN,
	  .default_text = "",
	  MEMBER(when),
	  .help = "with RANGES_KEEP: write a snapshot when a condition is met: step > 3 * median, "
	          "step > 200ms, range NAME[@DOMAIN] > 20ms (or > 3 * median), counter NAME > X "
	          "(or < X), gap NAME > 1s (no such range begins or ends for so long), gap step > "
	          "1s. A semicolon separates several conditions. NAME is as in RANGES_SCHEDULE's "
	          "on=" },
	{ .name = "RANGES_BEFORE",
	  .kind = RCAP_KIND_TIME,
	  .default_text = "0",
	  .max = 366 * DAY_NS,
	  MEMBER(before_ns),
	  .help = "how much time before the condition goes into a snapshot of RANGES_WHEN; up to a "
	          "quarter of that, or a 40th of RANGES_KEEP's time, may come on top; 0: all that "
	          "is kept" },
	{ .name = "RANGES_COOL_DOWN",
	  .kind = RCAP_KIND_TIME,
	  .default_text = "10s",
	  .max = 366 * DAY_NS,
	  MEMBER(cool_down_ns),
	  .help = "for so long after a snapshot of RANGES_WHEN no other is written; the suppressed "
	          "ones are counted" },
	{ .name = "RANGES_SNAPSHOTS",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "10",
	  .max = 1000000,
	  MEMBER(snapshots),
	  .help = "the most snapshots that RANGES_WHEN writes; further ones are counted" },
	{ .name = "RANGES_LEVEL",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "1",
	  .max = 9,
	  MEMBER(level),
	  .help = "compression level of the log; 0 stores without compression" },
	{ .name = "RANGES_DOMAINS",
	  .kind = RCAP_KIND_DOMAINS,
	  .default_text = "",
	  MEMBER(domains),
	  .help = "a list of the domains to record: name or +name includes one, -name excludes it, "
	          "* in a name stands for anything, default is NVTX's default domain. The last "
	          "entry that matches decides. A domain without a match is excluded if the list "
	          "includes any. If not set: all" },
	{ .name = "RANGES_COUNT",
	  .kind = RCAP_KIND_COUNT,
	  .default_text = "",
	  MEMBER(count),
	  .help = "events of the thread, in user mode, to count in each push/pop range: up to "
	          "three of instructions, cycles, cache-misses, branch-misses, page-faults, "
	          "task-clock (ns on a CPU). If the machine or the kernel refuses, a line says so, "
	          "and only times are recorded" },
	{ .name = "RANGES_STRING_MAX",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "8192",
	  .min = 64,
	  .max = 65535,
	  MEMBER(string_max_bytes),
	  .help = "bytes kept of each name; longer names are cut and marked" },
	{ .name = "RANGES_NAMES_MAX",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "262144",
	  .min = 64,
	  .max = 16777216,
	  MEMBER(names_max),
	  .help = "the most distinct names; events with further names are kept without their "
	          "name" },
	{ .name = "RANGES_NAMES_BYTES",
	  .kind = RCAP_KIND_BYTES,
	  .default_text = "32M",
	  .min = MIB,
	  .max = 4 * GIB,
	  MEMBER(names_bytes),
	  .help = "the most bytes of all distinct names together" },
	{ .name = "RANGES_PAYLOAD_MAX",
	  .kind = RCAP_KIND_BYTES,
	  .default_text = "64K",
	  .max = 96 * KIB,
	  MEMBER(payload_max),
	  .help = "the most bytes copied of one event's payloads, including what they point to; 0 "
	          "keeps only their sizes" },
	{ .name = "RANGES_FLUSH_MS",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "1000",
	  .min = 1,
	  .max = 3600000,
	  MEMBER(flush_ms),
	  .help = "how long events may wait in the spool before they are written to the log" },
	{ .name = "RANGES_CLOCK",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "auto",
	  .choices = clock_choices,
	  MEMBER(clock),
	  .help = "time base; auto takes the CPU's counter if the kernel trusts it, too" },
	{ .name = "RANGES_EXIT_MS",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "1000",
	  .max = 600000,
	  MEMBER(exit_ms),
	  .help = "the longest time that writing the rest of the log may delay the program's exit, "
	          "and that CUPTI may delay the program (at its start at least a second)" },
	{ .name = "RANGES_WAIT_MS",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "2000",
	  .max = 600000,
	  MEMBER(wait_ms),
	  .help = "how long \"ranges run\" waits after the program's end for its processes that "
	          "are being killed, and how long a recovery waits for another one of the same "
	          "spool" },
	{ .name = "RANGES_LOG",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "warn",
	  .choices = log_choices,
	  MEMBER(log_level),
	  .help = "which messages go to stderr" },
	{ .name = "RANGES_NVTX_CHAIN",
	  .kind = RCAP_KIND_PATH,
	  .default_text = "",
	  MEMBER(nvtx_chain),
	  .help = "another NVTX tool, a shared library, which also gets all calls; \"ranges run\" "
	          "sets it if NVTX_INJECTION64_PATH names one" },
	{ .name = "RANGES_CUDA",
	  .kind = RCAP_KIND_CUDA,
	  .default_text = "on",
	  MEMBER(cuda),
	  .help = "what to record of CUDA: off, on, or a list of additions: driver (also driver "
	          "calls that start no work, or that the runtime makes), memory (allocations, "
	          "memory pools, and what cuMemMap maps), graph-nodes (each node of CUDA graphs, "
	          "however many), latency (when launches were queued), events (with sync: which "
	          "event a stream waits for), sync (waits for the GPU by kind, stream and event; "
	          "makes every call of the runtime some 200 ns longer), unified-memory (copies and "
	          "faults of managed memory), external (numbers that libraries give to calls), "
	          "profiler (GPU data only between cudaProfilerStart and cudaProfilerStop). To "
	          "find faults: no-flush (CUPTI itself chooses when it hands over records), "
	          "cupti-clock (times by CUPTI's clock, not libranges'), inline (the thread that "
	          "initialises CUDA also starts CUPTI, however long that takes)" },
	{ .name = "RANGES_CUDA_SHARED",
	  .kind = RCAP_KIND_CHOICE,
	  .default_text = "auto",
	  .choices = off_auto_choices,
	  MEMBER(cuda_shared),
	  .help = "auto: share CUPTI with other profilers in the program, such as torch.profiler; "
	          "that takes CUPTI 13.3 and driver 610, or later. CUDA graphs are then recorded "
	          "operation by operation, however many. off: only ranges uses CUPTI, as with "
	          "older versions" },
	{ .name = "RANGES_CUPTI_PATH",
	  .kind = RCAP_KIND_PATH,
	  .default_text = "",
	  MEMBER(cupti_path),
	  .help = "the libcupti.so to use; if not set, libranges searches for one that fits the "
	          "program" },
	{ .name = "RANGES_CUDA_BUFFER",
	  .kind = RCAP_KIND_BYTES,
	  .default_text = "256M",
	  .min = MIB,
	  .max = 64 * GIB,
	  MEMBER(cuda_buffer_bytes),
	  .help = "the most memory for records on their way from the GPU; records that do not fit "
	          "are dropped and counted" },
	{ .name = "RANGES_GRAPH_NODES",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "10000",
	  .max = 1000000000,
	  MEMBER(graph_nodes),
	  .help = "the most operations per second of CUDA graphs, over ten seconds, that are "
	          "recorded one by one. Once there are more, each launch is recorded as a whole. "
	          "0: always as a whole; --cuda graph-nodes: never" },
	{ .name = "RANGES_GPU_METRICS",
	  .kind = RCAP_KIND_METRICS,
	  .default_text = "",
	  MEMBER(gpu_metrics),
	  .help = "what to sample of NVIDIA's GPUs by NVML: a list of power (with energy), clocks, "
	          "util, memory, temp, pcie, gpm (what the chip's parts do, from Hopper on). "
	          "Without NVML a line in the log says so" },
	{ .name = "RANGES_GPU_EVERY",
	  .kind = RCAP_KIND_TIME,
	  .default_text = "100ms",
	  .min = 1000000,
	  .max = DAY_NS,
	  MEMBER(gpu_every_ns),
	  .help = "the shortest time between samples. NVML has its own limits: the driver stores "
	          "power (and clocks, if it does) every 20 ms; memory and gpm are read at most "
	          "every 100 ms, util and temp every 200 ms" },
	{ .name = "RANGES_LIBRARY",
	  .kind = RCAP_KIND_PATH,
	  .default_text = "",
	  .help = "the libranges.so that \"ranges run\" loads into the program, instead of its "
	          "own" },
	{ .name = "RANGES_RUN_DIR",
	  .kind = RCAP_KIND_PATH,
	  .default_text = "",
	  .internal = true,
	  MEMBER(run_dir),
	  .help = "private spool directory of this run" },
	{ .name = "RANGES_ROOT_PID",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "0",
	  .max = INT32_MAX,
	  .internal = true,
	  MEMBER(root_pid),
	  .help = "the process that may use the log's plain name" },
	{ .name = "RANGES_CHECKED",
	  .kind = RCAP_KIND_NUMBER,
	  .default_text = "0",
	  .max = 1,
	  .internal = true,
	  MEMBER(checked),
	  .help = "the environment was checked, and problems were reported" },
};

const struct rcap_variable *rcap_config_borrow_table(size_t *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}
