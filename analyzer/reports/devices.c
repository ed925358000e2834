/* SPDX-License-Identifier: MIT */
/* The report "devices": how busy each GPU was, and with what kinds of work. */
#include "analyzer/reports/reports.h"

#include "analyzer/figures/gpu/gpu-busy.h"
#include "analyzer/figures/gpu/gpu-gauges.h"
#include "analyzer/figures/gpu/gpu-metrics.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

enum column {
	DEVICE,
	NAME,
	SPAN,
	UTILIZATION,
	KERNEL_UTILIZATION,
	SM_EFFICIENCY,
	OCCUPANCY,
	BUSY,
	IDLE,
	KERNELS,
	COPIES,
	SETS,
	GRAPHS,
	SYNC,
	OPS,
	POWER,
	POWER_PEAK,
	NVML_UTILIZATION,
	NVML_UTILIZATION_PEAK,
	CLOCK,
	CLOCK_PEAK,
	MEMORY,
	MEMORY_PEAK,
	TEMPERATURE,
	TEMPERATURE_PEAK,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[DEVICE] = { "device", "GPU", RA_TABLE_COUNT, NULL },
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[SPAN] = { "span_ns", "Span", RA_TABLE_TIME, NULL },
	[UTILIZATION] = { "utilization_share", "Busy/span", RA_TABLE_SHARE, NULL },
	[KERNEL_UTILIZATION] = { "kernel_utilization_share", "Kernel util.", RA_TABLE_SHARE, NULL },
	[SM_EFFICIENCY] = { "est_sm_efficiency_share", "Est. SM eff.", RA_TABLE_SHARE, NULL },
	[OCCUPANCY] = { "est_achieved_occupancy_share", "Est. occupancy", RA_TABLE_SHARE, NULL },
	[BUSY] = { "busy_ns", "Busy", RA_TABLE_TIME, NULL },
	[IDLE] = { "idle_ns", "Idle", RA_TABLE_TIME, NULL },
	[KERNELS] = { "kernel_ns", "Kernels", RA_TABLE_TIME, NULL },
	[COPIES] = { "memcpy_ns", "Copies", RA_TABLE_TIME, NULL },
	[SETS] = { "memset_ns", "Memsets", RA_TABLE_TIME, NULL },
	[GRAPHS] = { "graph_ns", "Graphs", RA_TABLE_TIME, "0" },
	[SYNC] = { "sync_ns", "Sync", RA_TABLE_TIME, NULL },
	[OPS] = { "operations", "# of Ops", RA_TABLE_COUNT, NULL },
	[POWER] = { "mean_power_w", "Mean W", RA_TABLE_REAL, "" },
	[POWER_PEAK] = { "peak_power_w", "Peak W", RA_TABLE_REAL, "" },
	[NVML_UTILIZATION] = { "mean_nvml_utilization_percent", "Mean NVML %", RA_TABLE_REAL, "" },
	[NVML_UTILIZATION_PEAK] = { "peak_nvml_utilization_percent", "Peak NVML %", RA_TABLE_REAL,
	                            "" },
	[CLOCK] = { "mean_sm_clock_mhz", "Mean MHz", RA_TABLE_REAL, "" },
	[CLOCK_PEAK] = { "peak_sm_clock_mhz", "Peak MHz", RA_TABLE_REAL, "" },
	[MEMORY] = { "mean_memory_used_bytes", "Mean mem. used", RA_TABLE_SIZE, "" },
	[MEMORY_PEAK] = { "peak_memory_used_bytes", "Peak mem. used", RA_TABLE_SIZE, "" },
	[TEMPERATURE] = { "mean_temperature_c", "Mean °C", RA_TABLE_REAL, "" },
	[TEMPERATURE_PEAK] = { "peak_temperature_c", "Peak °C", RA_TABLE_REAL, "" },
};

/* Fills the estimates, if the shapes of most kernels and the device are known. */
static void put_estimates(const struct ra_gpu_busy *row, int64_t span_ns,
                          struct ra_table_cell *cells)
{
	const int64_t kernel_ns =
		ra_util_add_time(row->time_ns[RA_GPU_KERNEL], row->time_ns[RA_GPU_GRAPH]);
	int64_t whole;

	if (row->occupancy_ns > 0 &&
	    ra_report_is_shaped((double) row->occupancy_ns, (double) kernel_ns)) {
		cells[OCCUPANCY] = ra_table_make_share(ra_gpu_metrics_round(row->occupancy),
		                                       row->occupancy_ns);
	}
	if (!ra_report_is_shaped((double) row->shaped_ns, (double) kernel_ns)) {
		return;
	}
	if (row->multiprocessors > 0 && span_ns > 0 &&
	    !__builtin_mul_overflow(span_ns, (int64_t) row->multiprocessors, &whole)) {
		cells[SM_EFFICIENCY] = ra_table_make_share(row->sm_ns, whole);
	}
}

/* Fills NVML's values, if the user asked for them. */
static void put_gauges(const struct ra_gpu_gauges *gauges, uint32_t device,
                       struct ra_table_cell *cells)
{
	static const struct {
		uint32_t kind;
		enum column mean; /* column of the mean; the next column is that of the peak */
	} shown[] = {
		{ RLOG_GPU_POWER, POWER },
		{ RLOG_GPU_UTIL, NVML_UTILIZATION },
		{ RLOG_GPU_SM_CLOCK, CLOCK },
		{ RLOG_GPU_MEMORY_USED, MEMORY },
		{ RLOG_GPU_TEMPERATURE, TEMPERATURE },
	};

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		const struct ra_gpu_gauge *gauge =
			ra_gpu_gauges_find(gauges, device, shown[i].kind);

		if (gauge != NULL) {
			cells[shown[i].mean] =
				ra_table_make_real(gauge->sum / (double) gauge->count);
			cells[shown[i].mean + 1] = ra_table_make_real(gauge->peak);
		}
	}
}

static struct ra_table_cell *add_device(const struct ra_model *model, const struct ra_gpu_busy *row,
                                        int64_t span_ns, bool lacks_waits, struct ra_table *table)
{
	const struct ra_gpu_device *device = ra_gpu_find_device(&model->gpu, row->device);
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[DEVICE] = ra_table_make_id(row->device);
	if (device == NULL && model->gpu.device_count == 1) {
		device = model->gpu.devices; /* because the trace numbers GPUs differently */
	}
	if (device != NULL && device->name != 0) {
		cells[NAME] = ra_table_make_text(ra_model_string(model, device->name));
	} else if (device != NULL && device->word != 0) {
		cells[NAME] = ra_table_make_text(ra_model_string(model, device->word));
	}
	cells[SPAN] = ra_table_make_number(span_ns);
	if (span_ns > 0) {
		cells[UTILIZATION] = ra_table_make_share(row->busy_ns, span_ns);
		cells[KERNEL_UTILIZATION] = ra_table_make_share(row->kernel_busy_ns, span_ns);
	}
	put_estimates(row, span_ns, cells);
	cells[BUSY] = ra_table_make_number(row->busy_ns);
	cells[IDLE] = ra_table_make_number(span_ns - row->busy_ns);
	cells[KERNELS] = ra_table_make_number(row->time_ns[RA_GPU_KERNEL]);
	cells[COPIES] = ra_table_make_number(row->time_ns[RA_GPU_COPY]);
	cells[SETS] = ra_table_make_number(row->time_ns[RA_GPU_SET]);
	cells[GRAPHS] = ra_table_make_number(row->time_ns[RA_GPU_GRAPH]);
	if (!lacks_waits) {
		cells[SYNC] = ra_table_make_number(row->sync_ns);
	}
	cells[OPS] = ra_table_make_count(row->ops);
	return cells;
}

static const char steps_note[] = "GPUs: shares are of the time of the steps";
static const char note[] = "GPUs: shares are of the span of the whole capture";

static void fill_devices(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_gpu_order order;
	struct ra_gpu_busies busies = { 0 };
	struct ra_gpu_gauges gauges;
	const bool lacks_waits = ra_report_lacks_waits(input->model);
	int64_t shaped_ns = 0;
	int64_t kernel_ns = 0;

	ra_gpu_order_init(&order, input->model);
	ra_gpu_busy_init(&busies, input->model, &order);
	ra_gpu_gauges_init(&gauges, input->model);
	for (size_t c = POWER; c < COLUMNS && gauges.count == 0; c++) {
		ra_table_hide(table, c);
	}
	for (size_t i = 0; i < busies.count; i++) {
		const struct ra_gpu_busy *row = &busies.rows[i];

		if (row->ops == 0 && row->sync_ns == 0) {
			continue; /* the machine has this GPU, but the program did not use it */
		}
		shaped_ns = ra_util_add_time(shaped_ns, row->shaped_ns);
		kernel_ns = ra_util_add_time(kernel_ns, row->time_ns[RA_GPU_KERNEL]);
		kernel_ns = ra_util_add_time(kernel_ns, row->time_ns[RA_GPU_GRAPH]);
		put_gauges(&gauges, row->device,
		           add_device(input->model, row, order.end_ns - order.start_ns, lacks_waits,
		                      table));
	}
	if (table->row_count > 0) {
		ra_report_add_shapes(input, shaped_ns, kernel_ns);
		ra_report_add_note(input, input->model->window_count > 0 ? steps_note : note);
		if (lacks_waits) {
			ra_report_add_note(input, "Sync: there are no cuda_sync records; the "
			                          "report gpu-sync has the synchronizing calls");
		}
	}
	ra_gpu_gauges_fini(&gauges);
	ra_gpu_busy_fini(&busies);
	ra_gpu_order_fini(&order);
}

const struct ra_report ra_report_devices = {
	.name = "devices",
	.scope = RA_REPORT_OF_TIME,
	.title = "GPUs by kind of work",
	.summary = "GPUs: utilization, SM efficiency, occupancy, time by kind",
	.none = "no GPU work",
	.is_gpu = true,
	.note = note,
	.columns = columns,
	.column_count = COLUMNS,
	.fill = fill_devices,
};
