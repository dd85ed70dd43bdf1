/* A twin of legctl's support polygon and static margin, step for step as
 * packages geom and balance do it: feet ranked by comparisons without branches,
 * strict convex hull by Andrew's monotone chain (1979) on points dealt out to
 * its two sides, filtered orientation test (Shewchuk 1997), one pass for side
 * and nearest edge. The filter's bound is worked out for every turn, as in
 * geom.Orient (geom.Hull has one for all turns). Where it cannot decide, long
 * double stands in for the exact expansion; drawn feet hardly ever get there.
 *
 * "polygon_plain" is the textbook: insertion sort, a bare determinant, the whole
 * chain twice, and every edge projected on.
 *
 * Usage: polygon [--workload] DIR. DIR/feet.f64 holds rows of 25 doubles: the
 * number of feet, then 12 x, y pairs of which the last is the centre of mass. A
 * file with one number of rows at its head and 12 pairs a row is taken too. */
#include "bench.h"

enum { FEET = 11, ROW = 25 };

typedef struct { double x, y; } vec;
typedef struct { const double *row; size_t rows; } work;

static int orient_slow(vec a, vec b, vec c)
{
	long double l = ((long double)a.x - c.x) * ((long double)b.y - c.y);
	long double r = ((long double)a.y - c.y) * ((long double)b.x - c.x);
	return (l > r) - (l < r);
}

static inline int orient(vec a, vec b, vec c, int plain)
{
	double l = (a.x - c.x) * (b.y - c.y), r = (a.y - c.y) * (b.x - c.x), det = l - r;
	if (plain)
		return (det > 0) - (det < 0);
	double bound = (3 + 16 * 0x1p-53) * 0x1p-53 * (fabs(l) + fabs(r)) + 0x1p-960;
	if (det > bound)
		return 1;
	if (-det > bound)
		return -1;
	return orient_slow(a, b, c);
}

static inline int before(vec a, vec b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

static inline int turns(const vec *h, int n, int base, vec p, int plain)
{
	while (n - base >= 2 && orient(h[n - 2], h[n - 1], p, plain) <= 0)
		n--;
	return n;
}

/* inserted sorts by insertion and drops doubles. */
static inline int inserted(vec *s, const vec *in, int count)
{
	int m = 0;
	for (int k = 0; k < count; k++) {
		int i = m;
		while (i > 0 && before(in[k], s[i - 1]))
			i--;
		if (i > 0 && s[i - 1].x == in[k].x && s[i - 1].y == in[k].y)
			continue;
		for (int j = m; j > i; j--)
			s[j] = s[j - 1];
		s[i] = in[k];
		m++;
	}
	return m;
}

/* ranked sorts by counting the feet before each. */
static inline int ranked(vec *s, const vec *in, int count)
{
	unsigned char rank[FEET];
	for (int i = 0; i < count; i++) {
		unsigned char n = 0;
		for (int j = 0; j < i; j++) {
			unsigned char c = in[i].x < in[j].x;
			if (in[i].x == in[j].x) {
				if (in[i].y == in[j].y)
					return inserted(s, in, count);
				c = in[i].y < in[j].y;
			}
			rank[j] = (unsigned char)(rank[j] + c);
			n = (unsigned char)(n + 1 - c);
		}
		rank[i] = n;
	}
	for (int i = 0; i < count; i++)
		s[rank[i]] = in[i];
	return count;
}

/* dealt is the hull of sorted feet, dealt out to the two sides of the line from
 * first to last. It uses s up. */
static inline int dealt(vec *h, vec *s, int m)
{
	vec first = s[0], last = s[m - 1];
	int low = 1, high = 0, n = 1;
	h[0] = first;
	for (int i = 1; i < m - 1; i++) {
		vec p = s[i];
		int o = orient(first, last, p, 0), right = o < 0;
		if (o == 0)
			continue;
		h[low] = p, s[high] = p;
		low += right, high += 1 - right;
	}
	for (int i = 1; i < low; i++) {
		vec p = h[i];
		n = turns(h, n, 0, p, 0);
		h[n++] = p;
	}
	n = turns(h, n, 0, last, 0);
	h[n] = last;
	int base = n++;
	for (int i = high - 1; i >= 0; i--) {
		n = turns(h, n, base, s[i], 0);
		h[n++] = s[i];
	}
	return turns(h, n, base, first, 0);
}

/* textbook is the monotone chain as Andrew wrote it. */
static inline int textbook(vec *h, const vec *s, int m)
{
	int n = 0;
	for (int i = 0; i < m; i++) {
		n = turns(h, n, 0, s[i], 1);
		h[n++] = s[i];
	}
	int base = n - 1;
	for (int i = m - 2; i > 0; i--) {
		n = turns(h, n, base, s[i], 1);
		h[n++] = s[i];
	}
	return turns(h, n, base, s[0], 1);
}

static inline int hull(vec *h, const vec *in, int count, int plain)
{
	vec s[FEET];
	int m = plain ? inserted(s, in, count) : ranked(s, in, count);
	if (m < 3) {
		memcpy(h, s, (size_t)m * sizeof *s);
		return m;
	}
	return plain ? textbook(h, s, m) : dealt(h, s, m);
}

/* segment2 is the square of the distance of p from the segment a b. */
static inline double segment2(vec a, vec b, vec p)
{
	vec e = { b.x - a.x, b.y - a.y }, q = a;
	double l = e.x * e.x + e.y * e.y, t = (p.x - a.x) * e.x + (p.y - a.y) * e.y;
	if (t >= l && t > 0) {
		q = b;
	} else if (t > 0) {
		t /= l;
		q.x = a.x + t * e.x, q.y = a.y + t * e.y;
	}
	double dx = q.x - p.x, dy = q.y - p.y;
	return dx * dx + dy * dy;
}

static inline double closest2(const vec *h, int n, vec p)
{
	double best = INFINITY;
	vec a = h[n - 1];
	for (int i = 0; i < n; i++) {
		double d = segment2(a, h[i], p);
		best = d < best ? d : best;
		a = h[i];
	}
	return best;
}

/* flat is the margin on a point or a segment. */
static double flat(const vec *h, int n, vec p, int plain)
{
	vec a = h[0], b = h[n - 1];
	int on = orient(a, b, p, plain) == 0 && p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) &&
		 p.y >= fmin(a.y, b.y) && p.y <= fmax(a.y, b.y);
	return on ? 0 : -sqrt(closest2(h, n, p));
}

/* outside projects on the edges that face p. */
static double outside(const vec *h, int n, vec p)
{
	double best = INFINITY;
	vec a = h[n - 1];
	for (int i = 0; i < n; i++) {
		if (orient(a, h[i], p, 0) <= 0) {
			double d = segment2(a, h[i], p);
			best = d < best ? d : best;
		}
		a = h[i];
	}
	return -sqrt(best);
}

static inline double margin(const vec *h, int n, vec p)
{
	if (n == 0)
		return -INFINITY;
	if (n < 3)
		return flat(h, n, p, 0);
	double best = INFINITY;
	int on = 0;
	vec a = h[n - 1];
	for (int i = 0; i < n; i++) {
		vec b = h[i], e = { b.x - a.x, b.y - a.y };
		int o = orient(a, b, p, 0);
		if (o < 0)
			return outside(h, n, p);
		on |= o == 0;
		double c = e.x * (p.y - a.y) - e.y * (p.x - a.x), d = c * c / (e.x * e.x + e.y * e.y);
		best = d < best ? d : best;
		a = b;
	}
	return on ? 0 : sqrt(best);
}

static inline double margin_plain(const vec *h, int n, vec p)
{
	if (n == 0)
		return -INFINITY;
	if (n < 3)
		return flat(h, n, p, 1);
	int side = 1;
	vec a = h[n - 1];
	for (int i = 0; i < n; i++) {
		int o = orient(a, h[i], p, 1);
		side = o < side ? o : side;
		a = h[i];
	}
	return side * sqrt(closest2(h, n, p));
}

static inline double all(const work *w, int plain)
{
	double sum = 0;
	for (size_t k = 0; k < w->rows; k++) {
		const double *r = w->row + ROW * k;
		vec in[FEET], h[2 * FEET], com = { r[23], r[24] };
		int n = (int)r[0];
		n = n < 0 ? 0 : n > FEET ? FEET : n;
		for (int i = 0; i < n; i++)
			in[i].x = r[1 + 2 * i], in[i].y = r[2 + 2 * i];
		n = hull(h, in, n, plain);
		sum += plain ? margin_plain(h, n, com) : margin(h, n, com);
	}
	return sum;
}

static double filtered(void *w) { return all(w, 0); }
static double plain(void *w) { return all(w, 1); }

/* with_counts turns a file with one count of rows at its head, each row 11 feet
 * and the centre of mass, into rows that begin with their number of feet. */
static double *with_counts(const double *v, size_t *count)
{
	size_t rows = (*count - 1) / (ROW - 1);
	double *out = malloc(rows * ROW * sizeof *out);
	if (!out)
		exit(1);
	for (size_t k = 0; k < rows; k++) {
		out[ROW * k] = FEET;
		memcpy(out + ROW * k + 1, v + 1 + (ROW - 1) * k, (ROW - 1) * sizeof *out);
	}
	*count = rows * ROW;
	return out;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: polygon [--workload] DIR\n");
		return 2;
	}
	size_t count;
	work w = { .row = bench_load(argv[argc - 1], "feet.f64", &count) };
	if (count > 0 && w.row[0] > FEET && w.row[0] * (ROW - 1) + 1 == (double)count)
		w.row = with_counts(w.row, &count);
	if (count % ROW != 0 || count == 0) {
		fprintf(stderr, "polygon: feet.f64 has %zu numbers, want rows of %d\n", count, ROW);
		return 1;
	}
	w.rows = count / ROW;
	double a = filtered(&w), b = plain(&w);
	if (fabs(a - b) > 1e-6) {
		fprintf(stderr, "polygon: margins add up to %.9g with the filter, %.9g without\n", a, b);
		return 1;
	}
	bench_run("balance", "polygon", filtered, &w, w.rows);
	bench_run("balance", "polygon_plain", plain, &w, w.rows);
	return 0;
}
