/* SPDX-License-Identifier: MIT */
/* In the program: writes the GPU samples that the launcher has taken as counters of the log. */
#ifndef RCAP_NVML_COUNTERS_H
#define RCAP_NVML_COUNTERS_H

/*
 * Takes new samples, if RANGES_GPU_METRICS asks for any, and tells the launcher when the capture
 * goes on or off. Samples from while it is off are left out; when it ends this waits for the last
 * ones, 200 ms at most.
 *
 * Context: the drain, often.
 */
void rcap_nvml_counters_look(void);

/* The program ends: takes the last samples, as above. Context: the thread that ends the capture. */
void rcap_nvml_counters_end(void);

#endif
