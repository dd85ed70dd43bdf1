/* A twin of a walking tick: phase, swing, closed-form inverse kinematics and
 * static margin on flat ground. It is the least a walking controller does: no
 * rules, no ground rays, no limits, no events.
 *
 * Hexapod: legs of hip yaw, hip pitch and knee (0.05, 0.066, 0.13 m), tripod.
 * Quadruped: legs of hip roll, hip pitch and knee (0.08, 0.2, 0.2 m), trot.
 *
 * Sources: closed forms by the law of cosines; convex hull after Andrew (1979);
 * swing curve the quintic of legctl's own gait package. */
#include "bench.h"

enum { MAX_LEGS = 6, TICKS = 4000 };

struct leg {
	double hip[3];     /* in the body frame */
	double cos, sin;   /* mount yaw */
	double neutral[3]; /* foot, body frame */
	double offset;     /* cycle phase of touchdown */
	double side;
};

struct robot {
	int legs, roll_first;
	double l0, l1, l2, duty, period, lift;
	double v[3]; /* vx, vy, wz */
	struct leg leg[MAX_LEGS];
	double foot[MAX_LEGS][3], from[MAX_LEGS][3];
	int swinging[MAX_LEGS];
	double phase, q[3 * MAX_LEGS], margin;
};

/* rise goes from 0 to 1 with neither speed nor acceleration at its ends. */
static inline double rise(double u) { return u * u * u * (10 + u * (6 * u - 15)); }

static inline void swing(double *p, const double *a, const double *b, double lift, double s)
{
	double h = rise(s), up = s < 0.5 ? rise(2 * s) : rise(2 - 2 * s);
	double top = (a[2] > b[2] ? a[2] : b[2]) + lift, base = s < 0.5 ? a[2] : b[2];
	p[0] = a[0] + h * (b[0] - a[0]);
	p[1] = a[1] + h * (b[1] - a[1]);
	p[2] = base + up * (top - base);
}

/* knee_plane solves two links in a plane: x outward, z up. */
static inline void knee_plane(double x, double z, double l1, double l2, double *pitch, double *knee)
{
	double r2 = x * x + z * z;
	double c = (r2 - l1 * l1 - l2 * l2) / (2 * l1 * l2);
	c = c > 1 ? 1 : c < -1 ? -1 : c;
	double s = -sqrt(1 - c * c);
	*knee = atan2(s, c);
	*pitch = atan2(z, x) - atan2(l2 * s, l1 + l2 * c);
}

static inline void solve(const struct robot *r, const struct leg *l, const double *foot, double *q)
{
	double dx = foot[0] - l->hip[0], dy = foot[1] - l->hip[1], dz = foot[2] - l->hip[2];
	if (r->roll_first) {
		double o = r->l0 * l->side, down = sqrt(dy * dy + dz * dz - o * o);
		q[0] = atan2(o * dz + down * dy, o * dy - down * dz);
		knee_plane(-down, dx, r->l1, r->l2, &q[1], &q[2]);
		return;
	}
	double x = l->cos * dx + l->sin * dy, y = l->cos * dy - l->sin * dx;
	q[0] = atan2(y, x);
	knee_plane(sqrt(x * x + y * y) - r->l0, dz, r->l1, r->l2, &q[1], &q[2]);
}

static inline double cross(const double *o, const double *a, const double *b)
{
	return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* margin is the signed distance of the origin from the edge of the hull. */
static double margin(double p[][2], int n)
{
	double hull[2 * MAX_LEGS][2];
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && (p[j][0] < p[j - 1][0] || (p[j][0] == p[j - 1][0] && p[j][1] < p[j - 1][1])); j--) {
			double x = p[j][0], y = p[j][1];
			p[j][0] = p[j - 1][0], p[j][1] = p[j - 1][1];
			p[j - 1][0] = x, p[j - 1][1] = y;
		}
	int k = 0;
	for (int i = 0; i < n; i++) {
		while (k >= 2 && cross(hull[k - 2], hull[k - 1], p[i]) <= 0)
			k--;
		hull[k][0] = p[i][0], hull[k][1] = p[i][1], k++;
	}
	for (int i = n - 2, low = k + 1; i >= 0; i--) {
		while (k >= low && cross(hull[k - 2], hull[k - 1], p[i]) <= 0)
			k--;
		hull[k][0] = p[i][0], hull[k][1] = p[i][1], k++;
	}
	double best = 1e300;
	int inside = k > 3;
	for (int i = 0; i + 1 < k; i++) {
		double ex = hull[i + 1][0] - hull[i][0], ey = hull[i + 1][1] - hull[i][1];
		double e2 = ex * ex + ey * ey, t = -(hull[i][0] * ex + hull[i][1] * ey);
		t = t <= 0 ? 0 : t >= e2 ? 1 : t / e2;
		double x = hull[i][0] + t * ex, y = hull[i][1] + t * ey, d = x * x + y * y;
		if (d < best)
			best = d;
		if (ex * -hull[i][1] - ey * -hull[i][0] < 0)
			inside = 0;
	}
	return inside ? sqrt(best) : -sqrt(best);
}

static void tick(struct robot *r, double dt)
{
	double feet[MAX_LEGS][2], stance = r->duty * r->period;
	int n = 0;
	r->phase += dt / r->period;
	r->phase -= floor(r->phase);
	for (int i = 0; i < r->legs; i++) {
		struct leg *l = &r->leg[i];
		double u = r->phase - l->offset, *f = r->foot[i];
		u -= floor(u);
		if (u < r->duty) {
			/* A stance foot is fixed in the world: in the body it goes back. */
			double vx = r->v[0] - r->v[2] * f[1], vy = r->v[1] + r->v[2] * f[0];
			f[0] -= vx * dt, f[1] -= vy * dt, f[2] = l->neutral[2];
			feet[n][0] = f[0], feet[n][1] = f[1], n++;
			r->swinging[i] = 0;
		} else {
			if (!r->swinging[i])
				memcpy(r->from[i], f, sizeof r->from[i]), r->swinging[i] = 1;
			double half = 0.5 * stance, to[3];
			to[0] = l->neutral[0] + half * (r->v[0] - r->v[2] * l->neutral[1]);
			to[1] = l->neutral[1] + half * (r->v[1] + r->v[2] * l->neutral[0]);
			to[2] = l->neutral[2];
			swing(f, r->from[i], to, r->lift, (u - r->duty) / (1 - r->duty));
		}
		solve(r, l, f, &r->q[3 * i]);
	}
	r->margin = n < 2 ? -INFINITY : margin(feet, n);
}

static double walk(void *data)
{
	struct robot *r = data;
	double sum = 0;
	for (int i = 0; i < TICKS; i++) {
		tick(r, 0.01);
		sum += r->q[1] + r->q[3 * r->legs - 1] + r->margin;
	}
	return sum;
}

static void stand(struct robot *r)
{
	for (int i = 0; i < r->legs; i++)
		memcpy(r->foot[i], r->leg[i].neutral, sizeof r->foot[i]);
}

/* check ends the program when an angle does not lead back to its foot: a twin
 * that is wrong measures nothing. */
static void check(const struct robot *r)
{
	for (int i = 0; i < r->legs; i++) {
		const struct leg *l = &r->leg[i];
		const double *q = &r->q[3 * i], *f = r->foot[i];
		double a = r->l1 * cos(q[1]) + r->l2 * cos(q[1] + q[2]), b = r->l1 * sin(q[1]) + r->l2 * sin(q[1] + q[2]);
		double x, y, z;
		if (r->roll_first) {
			double o = r->l0 * l->side;
			x = b, y = o * cos(q[0]) - a * sin(q[0]), z = o * sin(q[0]) + a * cos(q[0]);
		} else {
			double h = (r->l0 + a) * cos(q[0]), k = (r->l0 + a) * sin(q[0]);
			x = l->cos * h - l->sin * k, y = l->sin * h + l->cos * k, z = b;
		}
		x += l->hip[0] - f[0], y += l->hip[1] - f[1], z += l->hip[2] - f[2];
		if (!(x * x + y * y + z * z < 1e-18) || !(r->margin > -0.1)) {
			fprintf(stderr, "tick: leg %d of %d is off by %g %g %g m, margin %g\n", i, r->legs, x, y, z, r->margin);
			exit(1);
		}
	}
}

static struct robot hexapod(void)
{
	struct robot r = { .legs = 6, .l0 = 0.05, .l1 = 0.066, .l2 = 0.13, .duty = 0.6, .period = 0.8, .lift = 0.02,
		.v = { 0.06, 0.01, 0.05 } };
	static const double at[6][3] = { { 0.12, 0.06, 0.785 }, { 0, 0.1, 1.571 }, { -0.12, 0.06, 2.356 },
		{ 0.12, -0.06, -0.785 }, { 0, -0.1, -1.571 }, { -0.12, -0.06, -2.356 } };
	for (int i = 0; i < 6; i++) {
		struct leg *l = &r.leg[i];
		l->hip[0] = at[i][0], l->hip[1] = at[i][1];
		l->cos = cos(at[i][2]), l->sin = sin(at[i][2]);
		l->neutral[0] = at[i][0] + 0.14 * l->cos, l->neutral[1] = at[i][1] + 0.14 * l->sin, l->neutral[2] = -0.08;
		l->offset = (i % 3 % 2) ^ (i / 3) ? 0.5 : 0;
	}
	stand(&r);
	return r;
}

static struct robot quadruped(void)
{
	struct robot r = { .legs = 4, .roll_first = 1, .l0 = 0.08, .l1 = 0.2, .l2 = 0.2, .duty = 0.6, .period = 0.6,
		.lift = 0.05, .v = { 0.3, 0.05, 0.1 } };
	for (int i = 0; i < 4; i++) {
		struct leg *l = &r.leg[i];
		l->side = i % 2 ? -1 : 1;
		l->hip[0] = i < 2 ? 0.18 : -0.18, l->hip[1] = 0.05 * l->side;
		l->neutral[0] = l->hip[0], l->neutral[1] = l->hip[1] + 0.08 * l->side, l->neutral[2] = -0.3;
		l->offset = i == 0 || i == 3 ? 0 : 0.5;
	}
	stand(&r);
	return r;
}

int main(void)
{
	struct robot six = hexapod(), four = quadruped();
	bench_run("c", "tick/hexapod", walk, &six, TICKS);
	bench_run("c", "tick/quadruped", walk, &four, TICKS);
	check(&six);
	check(&four);
	return 0;
}
