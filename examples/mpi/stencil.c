/* SPDX-License-Identifier: MIT */
/*
 * Heat in a rod that is divided among the ranks of an MPI job, annotated: in each step a rank
 * computes its part, exchanges its ends with its neighbours, and now and then all find out how much
 * still changes. One rank becomes slow, as a machine that gets hot does, for README's commands to
 * find: which rank, in which range, since which step.
 *
 *	mpicc -O2 `pkg-config --cflags libranges` stencil.c -o stencil -lm
 *	mkdir logs
 *	mpirun --oversubscribe -n 64 ranges run -o 'logs/log.%r.bin' -- ./stencil
 *
 * usage: stencil [STEPS [SLOW-RANK [FIRST-SLOW-STEP]]]
 *
 * The defaults are 60 steps, the rank at 2/3 of all, and half of the steps.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include <ranges/nvtx.h>

enum {
	CELLS = 4000, /* of a rank */
	SWEEPS = 4,   /* over them in a step */
	SLOW_SWEEPS = 2000,
	RESIDUAL_EVERY = 10,
};

/* With a cell of each neighbour at both ends. */
static double rods[2][CELLS + 2];

struct job {
	int rank;
	int ranks;
	int steps;
	int slow_rank;
	int slow_step;
};

/* Return: the largest change of a cell. */
static double compute(const struct job *job, int step)
{
	const int is_slow = job->rank == job->slow_rank && step >= job->slow_step;
	const int sweeps = is_slow ? SLOW_SWEEPS : SWEEPS;
	double change = 0;

	nvtxRangePushA("compute");
	for (int sweep = 0; sweep < sweeps; sweep++) {
		const double *from = rods[0];
		double *to = rods[1];

		change = 0;
		for (int i = 1; i <= CELLS; i++) {
			to[i] = from[i] + 0.25 * (from[i - 1] - 2 * from[i] + from[i + 1]);
			change = fmax(change, fabs(to[i] - from[i]));
		}
	}
	for (int i = 1; i <= CELLS; i++) {
		rods[0][i] = rods[1][i];
	}
	nvtxRangePop();
	return change;
}

static void exchange(const struct job *job)
{
	const int left = job->rank > 0 ? job->rank - 1 : MPI_PROC_NULL;
	const int right = job->rank + 1 < job->ranks ? job->rank + 1 : MPI_PROC_NULL;

	nvtxRangePushA("exchange");
	MPI_Sendrecv(&rods[0][1], 1, MPI_DOUBLE, left, 0, &rods[0][CELLS + 1], 1, MPI_DOUBLE, right,
	             0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&rods[0][CELLS], 1, MPI_DOUBLE, right, 1, &rods[0][0], 1, MPI_DOUBLE, left, 1,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	nvtxRangePop();
}

static double reduce(double change)
{
	double all = 0;

	nvtxRangePushA("residual");
	MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	nvtxRangePop();
	return all;
}

/* A word that is not a number counts as 0. */
static int take_number(int argc, char **argv, int index, int usual)
{
	return index < argc ? (int) strtol(argv[index], NULL, 10) : usual;
}

int main(int argc, char **argv)
{
	struct job job;
	double change = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
	job.steps = take_number(argc, argv, 1, 60);
	job.slow_rank = take_number(argc, argv, 2, job.ranks * 2 / 3);
	job.slow_step = take_number(argc, argv, 3, job.steps / 2);
	rods[0][CELLS / 2] = job.rank == 0 ? 1000 : 0;
	for (int step = 0; step < job.steps; step++) {
		nvtxRangePushA("step");
		change = compute(&job, step);
		exchange(&job);
		if (step % RESIDUAL_EVERY == 0) {
			change = reduce(change);
		}
		nvtxRangePop();
	}
	if (job.rank == 0) {
		printf("%d steps on %d ranks, last change %g\n", job.steps, job.ranks, change);
	}
	MPI_Finalize();
	return 0;
}
