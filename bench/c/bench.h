/* What every twin needs: a clock, targets from files, and result lines.
 *
 * A twin is run as "twin DIR": it reads its targets from DIR, times each
 * kernel once or a few times, prints one JSON line a kernel and ends. legctl
 * runs it once a round, in turn with its own kernels, so that both see the
 * same machine. Reading faults end the program with a message and status 1. */
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_ROUNDS = 3 };

static inline double bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* bench_load returns the little-endian doubles of DIR/NAME and their number. */
static inline double *bench_load(const char *dir, const char *name, size_t *count)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(1);
	}
	fseek(f, 0, SEEK_END);
	long bytes = ftell(f);
	rewind(f);
	*count = (size_t)bytes / sizeof(double);
	double *v = malloc((size_t)bytes + 1);
	if (!v || fread(v, sizeof(double), *count, f) != *count) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(1);
	}
	fclose(f);
	return v;
}

static inline int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* bench_sink keeps results alive, so that no kernel is optimised away. */
static volatile double bench_sink;

/* bench_run times run(data), which does `ops` operations and returns some sum
 * of its results, and prints nanoseconds an operation. */
static inline void bench_run(const char *area, const char *name, double (*run)(void *), void *data, size_t ops)
{
	double sample[BENCH_ROUNDS];
	bench_sink = run(data);
	for (int i = 0; i < BENCH_ROUNDS; i++) {
		/* At least two milliseconds, so that the clock's own grain is gone. */
		double begin = bench_now(), spent;
		size_t n = 0;
		do {
			bench_sink = run(data);
			n++;
			spent = bench_now() - begin;
		} while (spent < 2e6);
		sample[i] = spent / (double)(n * ops);
	}
	qsort(sample, BENCH_ROUNDS, sizeof sample[0], bench_compare);
	printf("{\"area\":\"%s\",\"name\":\"%s\",\"min\":%.4g,\"median\":%.4g,\"unit\":\"ns\"}\n", area, name,
	       sample[0], sample[BENCH_ROUNDS / 2]);
}

#endif
