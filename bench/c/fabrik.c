/* A twin of plain FABRIK (Aristidou and Lasenby 2011) on bare chains of ball
 * joints: backward and forward sweeps until the end is within 1e-6 m of its
 * target, and the straight answer for a target out of reach.
 *
 * Cold solves start from the same fan of links as legctl's own kernels
 * (restChain); the track is followed warm. The number of links is a constant
 * at each call, so that the compiler may unroll.
 *
 * Usage: fabrik DIR, with leg3_ and ten10_ targets, far and track files. */
#include "bench.h"

enum { LINKS = 10, SWEEPS = 20000 };

typedef struct { double x, y, z; } vec;
typedef struct {
	int n;
	const double *l;
	vec rest[LINKS + 1], p[LINKS + 1];
	const vec *target;
	size_t targets;
} chain;

static inline vec reach(vec from, vec to, double l)
{
	double x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
	double s = l / sqrt(x * x + y * y + z * z);
	return (vec){ from.x + s * x, from.y + s * y, from.z + s * z };
}

static inline double off2(vec a, vec b)
{
	double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
	return x * x + y * y + z * z;
}

static inline double solve(vec *p, const double *l, int n, vec t)
{
	double sum = 0, d2 = off2(p[0], t);
	for (int i = 0; i < n; i++)
		sum += l[i];
	if (d2 > sum * sum) {
		double s = 1 / sqrt(d2), at = 0;
		vec u = { s * (t.x - p[0].x), s * (t.y - p[0].y), s * (t.z - p[0].z) };
		for (int i = 0; i < n; i++) {
			at += l[i];
			p[i + 1] = (vec){ p[0].x + at * u.x, p[0].y + at * u.y, p[0].z + at * u.z };
		}
		return sqrt(d2) - sum;
	}
	double e2 = off2(p[n], t);
	for (int k = 0; k < SWEEPS && e2 > 1e-12; k++) {
		p[n] = t;
		for (int i = n - 1; i > 0; i--)
			p[i] = reach(p[i + 1], p[i], l[i]);
		for (int i = 0; i < n; i++)
			p[i + 1] = reach(p[i], p[i + 1], l[i]);
		e2 = off2(p[n], t);
	}
	return sqrt(e2);
}

static inline double all(chain *c, int n, int warm)
{
	double sum = 0;
	for (size_t k = 0; k < c->targets; k++) {
		if (!warm)
			memcpy(c->p, c->rest, (size_t)(n + 1) * sizeof(vec));
		sum += solve(c->p, c->l, n, c->target[k]);
	}
	return sum;
}

static double cold3(void *c) { return all(c, 3, 0); }
static double cold10(void *c) { return all(c, 10, 0); }
static double warm3(void *c) { return all(c, 3, 1); }
static double warm10(void *c) { return all(c, 10, 1); }

static chain chain_of(const double *l, int n)
{
	chain c = { .n = n, .l = l };
	for (int i = 0; i < n; i++) {
		double a = 0.5 - (double)i / (n - 1);
		vec *p = &c.rest[i];
		p[1] = (vec){ p->x + l[i] * cos(a), 0, p->z + l[i] * sin(a) };
	}
	memcpy(c.p, c.rest, sizeof c.p);
	return c;
}

static void run(chain c, const char *dir, const char *name, const char *file, const char *as, double (*f)(void *))
{
	char path[64], title[64];
	snprintf(path, sizeof path, "%s_%s.f64", name, file);
	snprintf(title, sizeof title, "%s/%s", name, as);
	size_t count;
	c.target = (const vec *)bench_load(dir, path, &count);
	c.targets = count / 3;
	bench_run("ik", title, f, &c, c.targets);
}

int main(int argc, char **argv)
{
	static const double leg3[] = { 0.05, 0.12, 0.18 };
	static const double ten10[] = { .1, .1, .1, .1, .1, .1, .1, .1, .1, .1 };
	if (argc < 2) {
		fprintf(stderr, "usage: fabrik DIR\n");
		return 2;
	}
	chain three = chain_of(leg3, 3), ten = chain_of(ten10, 10);
	run(three, argv[1], "leg3", "targets", "random", cold3);
	run(three, argv[1], "leg3", "far", "far", cold3);
	run(three, argv[1], "leg3", "track", "track", warm3);
	run(ten, argv[1], "ten10", "targets", "random", cold10);
	run(ten, argv[1], "ten10", "far", "far", cold10);
	run(ten, argv[1], "ten10", "track", "track", warm10);
	return 0;
}
