/* SPDX-License-Identifier: MIT */
/* In the program: samples of GPUs that the launcher has taken, as counters of the log. */
#ifndef RCAP_NVML_COUNTERS_H
#define RCAP_NVML_COUNTERS_H

/*
 * Takes what has come since, if RANGES_GPU_METRICS wants anything; tells the launcher when the
 * capture goes on or off. Samples of the time while it is off are left out; at its end the last
 * ones are waited for, 200 ms at most.
 *
 * Context: the drain, often.
 */
void rcap_nvml_counters_look(void);

/* The program ends: takes the last ones, as above. Context: who ends the capture. */
void rcap_nvml_counters_end(void);

#endif
