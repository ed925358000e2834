/* SPDX-License-Identifier: MIT */
/*
 * A program that bench/verdict measures: an MPI job. Each rank computes a strip of a plate,
 * exchanges the edges of its strip with its neighbours, and now and then all ranks agree on the
 * remaining change. The script builds the program if there is mpicc.
 *
 * usage: verdict-stencil [STEPS]
 *
 * The default is 100 steps. Exit: 0, 1 no memory, 2 usage.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include <ranges/nvtx.h>

enum {
	WIDTH = 512,
	ROWS = 256, /* rows of a rank; there is an edge row of a neighbour above and one below */
	RESIDUAL_EVERY = 10,
};

struct strip {
	double (*cells)[WIDTH];
	double (*next)[WIDTH];
	int above; /* number of the rank above; the same for below */
	int below;
};

static void exchange(struct strip *strip)
{
	nvtxRangePushA("exchange");
	MPI_Sendrecv(strip->cells[1], WIDTH, MPI_DOUBLE, strip->above, 0, strip->cells[ROWS + 1],
	             WIDTH, MPI_DOUBLE, strip->below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(strip->cells[ROWS], WIDTH, MPI_DOUBLE, strip->below, 1, strip->cells[0], WIDTH,
	             MPI_DOUBLE, strip->above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	nvtxRangePop();
}

/* Return: the sum of the squares of the changes. */
static double compute(struct strip *strip)
{
	double change = 0;
	double(*const done)[WIDTH] = strip->next;

	nvtxRangePushA("compute");
	for (int row = 1; row <= ROWS; row++) {
		for (int i = 1; i < WIDTH - 1; i++) {
			const double value =
				0.25 * (strip->cells[row - 1][i] + strip->cells[row + 1][i] +
			                strip->cells[row][i - 1] + strip->cells[row][i + 1]);

			change += (value - strip->cells[row][i]) * (value - strip->cells[row][i]);
			done[row][i] = value;
		}
	}
	strip->next = strip->cells;
	strip->cells = done;
	nvtxRangePop();
	return change;
}

static double agree(double change)
{
	double all = 0;

	nvtxRangePushA("residual");
	MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	nvtxRangePop();
	return sqrt(all);
}

int main(int argc, char **argv)
{
	const long steps = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
	struct strip strip;
	int rank;
	int ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	strip.above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
	strip.below = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
	strip.cells = calloc(ROWS + 2, sizeof(*strip.cells));
	strip.next = calloc(ROWS + 2, sizeof(*strip.next));
	if (strip.cells == NULL || strip.next == NULL || steps < 1) {
		fprintf(stderr, "usage: verdict-stencil [STEPS]\n");
		MPI_Abort(MPI_COMM_WORLD, steps < 1 ? 2 : 1);
	}
	for (int i = 0; i < WIDTH && rank == 0; i++) {
		strip.cells[0][i] = 100; /* the hot edge */
		strip.next[0][i] = 100;
	}
	for (long step = 0; step < steps; step++) {
		double change;

		nvtxRangePushA("step");
		exchange(&strip);
		change = compute(&strip);
		if (step % RESIDUAL_EVERY == 0) {
			agree(change);
		}
		nvtxRangePop();
	}
	free(strip.cells);
	free(strip.next);
	MPI_Finalize();
	return 0;
}
