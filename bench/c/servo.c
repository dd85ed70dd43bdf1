/* A twin of the frames that move 18 servos, step for step as legctl's protocol
 * packages build them: every id and position checked, every id once, lengths
 * filled in, sums and CRCs from the same kind of table, stuffing looked for.
 *
 * The number of servos is no constant of the program, and a frame is built by a
 * call, as in a library that does not know its caller.
 *
 * Usage: servo DIR. The positions come from the generator that the kernels have. */
#include "bench.h"

#include <stdint.h>

enum { POSES = 64, COUNT = 18 };

typedef struct { uint32_t span; int least; int goals[POSES * COUNT]; } work;

static uint8_t ids[COUNT];
static uint16_t crc16[256];

static volatile int servos = COUNT;

#define FRAME __attribute__((noinline)) static

typedef struct { uint64_t word[4]; } set;

static inline int fresh(set *s, uint8_t id)
{
	uint64_t bit = 1ull << (id & 63), *w = &s->word[id >> 6];
	int is = !(*w & bit);
	*w |= bit;
	return is;
}

static inline int known(const uint8_t *id, int n, int most)
{
	set seen = {{0}};
	for (int i = 0; i < n; i++)
		if (id[i] > most || !fresh(&seen, id[i]))
			return 0;
	return 1;
}

static inline uint8_t sum8(const uint8_t *b, const uint8_t *end)
{
	uint8_t s = 0;
	while (b < end)
		s += *b++;
	return ~s;
}

FRAME int dxl1(uint8_t *d, const int *goals, int n)
{
	uint8_t data[2 * COUNT], *p = d;
	for (int i = 0; i < n; i++) {
		data[2 * i] = goals[i];
		data[2 * i + 1] = goals[i] >> 8;
	}
	if (!known(ids, n, 253))
		return 0;
	*p++ = 0xFF; *p++ = 0xFF; *p++ = 254; *p++ = 0; *p++ = 0x83; *p++ = 30; *p++ = 2;
	for (int i = 0; i < n; i++) {
		*p++ = ids[i];
		memcpy(p, data + 2 * i, 2);
		p += 2;
	}
	d[3] = p + 1 - d - 4;
	*p = sum8(d + 2, p);
	return p + 1 - d;
}

FRAME int dxl2(uint8_t *d, const int *goals, int n)
{
	uint8_t data[4 * COUNT], *p = d;
	for (int i = 0; i < n; i++) {
		uint32_t g = goals[i];
		memcpy(data + 4 * i, &g, 4);
	}
	if (!known(ids, n, 252))
		return 0;
	*p++ = 0xFF; *p++ = 0xFF; *p++ = 0xFD; *p++ = 0; *p++ = 254; *p++ = 0; *p++ = 0; *p++ = 0x83;
	*p++ = 116; *p++ = 0; *p++ = 4; *p++ = 0;
	for (int i = 0; i < n; i++) {
		*p++ = ids[i];
		memcpy(p, data + 4 * i, 4);
		p += 4;
	}
	for (uint8_t *q = d + 9; q < p; q++)
		if (*q == 0xFD && q[-1] == 0xFF && q[-2] == 0xFF) {
			memmove(q + 2, q + 1, p - q - 1);
			*++q = 0xFD;
			p++;
		}
	int length = p + 2 - d - 7;
	d[5] = length;
	d[6] = length >> 8;
	uint16_t c = 0;
	for (uint8_t *q = d; q < p; q++)
		c = (uint16_t)(c << 8) ^ crc16[(uint8_t)(c >> 8) ^ *q];
	*p++ = c;
	*p++ = c >> 8;
	return p - d;
}

FRAME uint8_t *move(uint8_t *p, uint8_t id, int goal, int ms)
{
	uint8_t *start = p;
	if (goal < 0 || goal > 1000 || ms < 0 || ms > 30000 || id > 254)
		return p;
	*p++ = 0x55; *p++ = 0x55; *p++ = id; *p++ = 0; *p++ = 1;
	*p++ = goal; *p++ = goal >> 8; *p++ = ms; *p++ = ms >> 8;
	start[3] = p + 1 - start - 3;
	*p = sum8(start + 2, p);
	return p + 1;
}

FRAME int lx16a(uint8_t *d, const int *goals, int n)
{
	uint8_t *p = d;
	for (int i = 0; i < n; i++) {
		uint8_t *next = move(p, ids[i], goals[i], 20);
		if (next == p)
			return 0;
		p = next;
	}
	return p - d;
}

static inline uint8_t *number(uint8_t *p, char letter, int v)
{
	uint8_t digits[5];
	int i = 5;
	*p++ = letter;
	if (v < 0) {
		*p++ = '-';
		v = -v;
	}
	do {
		digits[--i] = '0' + v % 10;
		v /= 10;
	} while (v > 0 && i > 0);
	memcpy(p, digits + i, 5 - i);
	return p + 5 - i;
}

FRAME int ssc32(uint8_t *d, const int *goals, int n)
{
	set seen = {{0}};
	uint8_t *p = d;
	for (int i = 0; i < n; i++) {
		if (i > 31 || !fresh(&seen, i) || goals[i] < 500 || goals[i] > 2500)
			return 0;
		p = number(number(p, '#', i), 'P', goals[i]);
	}
	p = number(p, 'T', 20);
	*p++ = '\r';
	return p - d;
}

FRAME int maestro(uint8_t *d, const int *goals, int n)
{
	uint8_t *p = d;
	*p++ = 0xAA; *p++ = 12; *p++ = 0x1F; *p++ = n; *p++ = 0;
	for (int i = 0; i < n; i++) {
		if (goals[i] < 0 || goals[i] > 16383)
			return 0;
		*p++ = goals[i] & 0x7F;
		*p++ = goals[i] >> 7 & 0x7F;
	}
	uint8_t c = 0;
	for (uint8_t *q = d; q < p; q++) {
		c ^= *q;
		for (int k = 0; k < 8; k++) {
			uint8_t odd = c & 1;
			c >>= 1;
			if (odd)
				c ^= 0x91 >> 1;
		}
	}
	*p++ = c;
	return p - d;
}

typedef struct { work *w; int (*build)(uint8_t *, const int *, int); } job;

static double run(void *data)
{
	job *j = data;
	uint8_t frame[512];
	long sum = 0;
	for (int p = 0; p < POSES; p++) {
		int n = j->build(frame, j->w->goals + p * COUNT, servos);
		if (!n)
			return -1;
		sum += n + frame[n - 1] + frame[n - 2];
	}
	return (double)sum;
}

static void time_it(const char *name, uint32_t span, int least, int (*build)(uint8_t *, const int *, int))
{
	static work w;
	uint32_t x = 1;
	for (int i = 0; i < POSES * COUNT; i++) {
		x = x * 1664525u + 1013904223u;
		w.goals[i] = (int)((x >> 8) % span) + least;
	}
	job j = {&w, build};
	bench_run("servo", name, run, &j, POSES);
}

int main(void)
{
	for (int i = 0; i < COUNT; i++)
		ids[i] = i + 1;
	for (int i = 0; i < 256; i++) {
		uint16_t c = i << 8;
		for (int k = 0; k < 8; k++)
			c = c & 0x8000 ? c << 1 ^ 0x8005 : c << 1;
		crc16[i] = c;
	}
	time_it("dxl1", 1024, 0, dxl1);
	time_it("dxl2", 4096, 0, dxl2);
	time_it("lx16a", 1000, 0, lx16a);
	time_it("ssc32", 2000, 500, ssc32);
	time_it("maestro", 8000, 2000, maestro);
	return 0;
}
