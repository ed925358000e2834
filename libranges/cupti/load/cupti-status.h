/* SPDX-License-Identifier: MIT */
/* Lines in the log that tell how the GPU's capture went. */
#ifndef RCAP_CUPTI_STATUS_H
#define RCAP_CUPTI_STATUS_H

/*
 * Adds one line (gpu status, doc/format.md section 5). At the level info it is also written to
 * stderr.
 *
 * @result: CUPTI's code, 0 if there is none.
 * @format: as rcap_log_format().
 * Context: any thread, not under rcap_process_lock(); the capture has started; errno is kept. After
 * 64 lines no more are kept.
 */
void rcap_cupti_status_add(int result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
