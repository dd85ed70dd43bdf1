/* A twin of legctl's gradient bands and quaternion sums.
 *
 * "bandN" has the pairs worked out beforehand and looks at all of them;
 * "bandN_plain" is the formula as it is printed, O(n^2) with a division a pair.
 * "polar16" and "polar16_plain" are the same by direction and magnitude (alpha
 * 2, cap by angle), for motions none of which is at the origin. "mix67x4" blends
 * 4 poses of 67 ball joints component by component: the side of the heaviest,
 * weighted sum, one normalisation. Inputs are taken to be sound: nothing is
 * checked, doubled or at rest.
 *
 * Usage: blend [--workload] DIR. DIR/band_points.f64 holds 32 pairs x, y, of
 * which each band takes the first; DIR/band_queries.f64 any number of pairs;
 * DIR/mix_poses.f64 4 x 67 quaternions w, x, y, z. */
#include "bench.h"

enum { MOST = 32, POSES = 4, JOINTS = 67 };

typedef struct { double a, b, c; } pair;
typedef struct {
	int n, polar;
	const double *p, *q;
	size_t queries;
	double norm[MOST], angle[MOST];
	pair t[MOST][MOST];
} band;

static inline double wrap(double a)
{
	return a > M_PI ? a - 2 * M_PI : a <= -M_PI ? a + 2 * M_PI : a;
}

static inline double between(const double *a, const double *b)
{
	return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

static inline double length(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1]); }

static double place_plain(const double *p, const double *q, const double *x)
{
	double dx = q[0] - p[0], dy = q[1] - p[1];
	return 1 - ((x[0] - p[0]) * dx + (x[1] - p[1]) * dy) / (dx * dx + dy * dy);
}

static double direct_plain(const double *p, const double *q, const double *x)
{
	double np = length(p), nq = length(q), mean = (np + nq) / 2;
	double T = between(p, q), t = between(p, x);
	if ((T > 0) != (t > 0) && fabs(T) < M_PI - 1e-6 && fabs(t) < M_PI - 1e-6)
		t = -fabs(t);
	else
		t = fabs(t);
	double ux = (nq - np) / mean, uy = 2 * fabs(T), vx = (length(x) - np) / mean, vy = 2 * t;
	return 1 - (ux * vx + uy * vy) / (ux * ux + uy * uy);
}

/* share turns influences into weights and returns a sum in which their order
 * shows. */
static inline double share(const double *h, int n)
{
	double sum = 0, out = 0;
	for (int i = 0; i < n; i++)
		sum += h[i];
	for (int i = 0; i < n; i++)
		out += (i + 1) * (h[i] / sum);
	return out;
}

static double plain(void *data)
{
	const band *b = data;
	double all = 0, h[MOST];
	for (size_t k = 0; k < b->queries; k++) {
		const double *x = b->q + 2 * k;
		for (int i = 0; i < b->n; i++) {
			const double *p = b->p + 2 * i;
			double least = b->polar ? 1 - fabs(between(p, x)) / M_PI : 1;
			for (int j = 0; j < b->n; j++) {
				if (j == i)
					continue;
				double f = b->polar ? direct_plain(p, b->p + 2 * j, x) : place_plain(p, b->p + 2 * j, x);
				least = f < least ? f : least;
			}
			h[i] = least > 0 ? least : 0;
		}
		all += share(h, b->n);
	}
	return all;
}

static double table(void *data)
{
	const band *b = data;
	double all = 0, h[MOST];
	for (size_t k = 0; k < b->queries; k++) {
		const double *x = b->q + 2 * k;
		double r = length(x), heading = b->polar ? atan2(x[1], x[0]) : 0;
		for (int i = 0; i < b->n; i++) {
			double u, v, w = 0, most = 0;
			if (b->polar) {
				u = r - b->norm[i], v = wrap(heading - b->angle[i]), w = fabs(v);
				most = w / M_PI;
			} else {
				u = x[0] - b->p[2 * i], v = x[1] - b->p[2 * i + 1];
			}
			for (int j = 0; j < b->n; j++) {
				double s = u * b->t[i][j].a + v * b->t[i][j].b + w * b->t[i][j].c;
				most = s > most ? s : most;
			}
			h[i] = most < 1 ? 1 - most : 0;
		}
		all += share(h, b->n);
	}
	return all;
}

static void join(band *b)
{
	for (int i = 0; i < b->n; i++) {
		b->norm[i] = length(b->p + 2 * i);
		b->angle[i] = atan2(b->p[2 * i + 1], b->p[2 * i]);
	}
	for (int i = 0; i < b->n; i++)
		for (int j = 0; j < b->n; j++) {
			if (i == j)
				continue;
			const double *p = b->p + 2 * i, *q = b->p + 2 * j;
			if (!b->polar) {
				double dx = q[0] - p[0], dy = q[1] - p[1], s = 1 / (dx * dx + dy * dy);
				b->t[i][j] = (pair){ dx * s, dy * s, 0 };
				continue;
			}
			double mean = (b->norm[i] + b->norm[j]) / 2, T = between(p, q);
			double ux = (b->norm[j] - b->norm[i]) / mean, s = 1 / (ux * ux + 4 * T * T);
			int blind = fabs(T) >= M_PI - 1e-6;
			b->t[i][j] = (pair){ ux / mean * s, blind ? 0 : 4 * T * s, blind ? 4 * fabs(T) * s : 0 };
		}
}

static double mix(void *data)
{
	const double *q = data;
	static const double w[POSES] = { .1, .4, .3, .2 };
	enum { LEAD = 1 };
	double all = 0;
	for (int j = 0; j < JOINTS; j++) {
		const double *ref = q + 4 * (LEAD * JOINTS + j);
		double s[4] = { 0 };
		for (int i = 0; i < POSES; i++) {
			const double *p = q + 4 * (i * JOINTS + j);
			double d = p[0] * ref[0] + p[1] * ref[1] + p[2] * ref[2] + p[3] * ref[3];
			double k = d < 0 ? -w[i] : w[i];
			for (int c = 0; c < 4; c++)
				s[c] += k * p[c];
		}
		double n = 1 / sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]);
		for (int c = 0; c < 4; c++)
			all += n * s[c];
	}
	return all;
}

static void run(band *b, const char *name)
{
	char text[64];
	join(b);
	double x = plain(b), y = table(b);
	if (!(fabs(x - y) <= 1e-9 * fabs(x))) {
		fprintf(stderr, "blend: %s: weights add up to %.12g by the formula, %.12g by the table\n", name, x, y);
		exit(1);
	}
	bench_run("blend", name, table, b, b->queries);
	snprintf(text, sizeof text, "%s_plain", name);
	bench_run("blend", text, plain, b, b->queries);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: blend [--workload] DIR\n");
		return 2;
	}
	const char *dir = argv[argc - 1];
	size_t points, queries, numbers;
	double *p = bench_load(dir, "band_points.f64", &points);
	double *q = bench_load(dir, "band_queries.f64", &queries);
	double *m = bench_load(dir, "mix_poses.f64", &numbers);
	if (points != 2 * MOST || queries < 2 || queries % 2 || numbers != 4 * POSES * JOINTS) {
		fprintf(stderr, "blend: %zu numbers of points, %zu of queries, %zu of poses, want %d, pairs and %d\n", points, queries, numbers, 2 * MOST, 4 * POSES * JOINTS);
		return 1;
	}
	static band b;
	b = (band){ .p = p, .q = q, .queries = queries / 2 };
	static const struct { const char *name; int n, polar; } all[] = {
		{ "band8", 8, 0 }, { "band16", 16, 0 }, { "band32", 32, 0 }, { "polar16", 16, 1 },
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		memset(b.t, 0, sizeof b.t);
		b.n = all[i].n, b.polar = all[i].polar;
		run(&b, all[i].name);
	}
	bench_run("blend", "mix67x4", mix, m, 1);
	return 0;
}
