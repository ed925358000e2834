/* SPDX-License-Identifier: MIT */
/* Fills the spool's header with what the log will say about its process. */
#include "libranges/entry/origin.h"

#include <string.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/chain/nvtx-chain.h"
#include "libranges/record/count.h"
#include "libranges/spool/owner.h"
#include "libranges/process/process.h"
#include "libranges/spool/spool-past.h"

static void add_text(char *list, size_t size, const char *text)
{
	size_t used = 0;
	const size_t length = strlen(text);

	while (used < size && list[used] != '\0') {
		used += strnlen(list + used, size - used) + 1;
	}
	if (used + length + 2 <= size) {
		memcpy(list + used, text, length + 1);
	}
}

static void fill_settings(struct rcap_spool_header *header, const struct rcap_config *config)
{
	size_t count = 0;
	const struct rcap_variable *table = rcap_config_borrow_table(&count);
	char text[RCAP_FILTER_BYTES + 32]; /* longer values, such as paths, are cut */

	for (size_t i = 0; i < count; i++) {
		if (!table[i].internal &&
		    rcap_config_format(config, &table[i], text, sizeof(text)) > 0) {
			add_text(header->settings, sizeof(header->settings), text);
		}
	}
}

/* Stores the output as an absolute pattern, because the program may change its directory before the
 * log is opened. */
static void fill_output(struct rcap_spool_header *header, const struct rcap_config *config)
{
	if (config->output[0] == '/' || header->facts.cwd[0] == '\0') {
		rcap_log_format(header->output, sizeof(header->output), "%s", config->output);
	} else {
		/* Doubles each % in the directory's name, which is no conversion. */
		char cwd[sizeof(header->output)];
		size_t used = 0;

		for (const char *at = header->facts.cwd; *at && used + 2 < sizeof(cwd); at++) {
			if (*at == '%') {
				cwd[used++] = '%';
			}
			cwd[used++] = *at;
		}
		cwd[used] = '\0';
		rcap_log_format(header->output, sizeof(header->output), "%s/%s", cwd,
		                config->output);
	}
}

void rcap_origin_fill(struct rcap_spool_header *header, const struct rcap_config *config,
                      bool is_forked)
{
	char note[160];

	rcap_facts_collect(&header->facts);
	header->start_time = rcap_owner_start_time(header->facts.pid);
	header->pid_ns = rcap_owner_pid_ns();
	header->level = (uint32_t) config->level;
	memcpy(&header->tag, header->facts.capture_id + 4, sizeof(header->tag));
	header->tag ^= (uint32_t) header->facts.start_real_ns;
	/* Without a launcher, the first process gets the plain name, even if its child writes
	 * earlier. */
	header->is_root = config->root_pid == 0 ? !is_forked
	                                        : config->root_pid == (uint64_t) header->facts.pid;
	rcap_log_format(header->clock, sizeof(header->clock), "%s", rcap_clock_name());
	rcap_clock_sync(&header->first_clock);
	header->ticks_per_s = rcap_clock_ticks_per_s();
	header->forked = is_forked;
	rcap_count_prepare(config->count, header->counts, sizeof(header->counts), note,
	                   sizeof(note));
	fill_settings(header, config);
	fill_output(header, config);
	header->first_attempt = rcap_spool_past_names(&rcap_process.spool);
	for (const char *line = config->refused; *line != '\0'; line += strlen(line) + 1) {
		add_text(header->notes, sizeof(header->notes), line);
	}
	if (note[0] != '\0') {
		add_text(header->notes, sizeof(header->notes), note);
	}
	if (!header->crash_safe) {
		add_text(header->notes, sizeof(header->notes),
		         "no file for the event buffer: events not yet written are lost if the "
		         "program is killed");
	}
	if (rcap_nvtx_chain_borrow_problem()[0] != '\0') {
		add_text(header->notes, sizeof(header->notes), rcap_nvtx_chain_borrow_problem());
	}
}
