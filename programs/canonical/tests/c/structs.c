#include <stdio.h>
struct point { int x, y; }; struct rect { struct point a, b; const char *name; };
struct point add(struct point p, struct point q) { p.x += q.x; p.y += q.y; return p; }
int main(void) { struct rect r = { { 1, 2 }, .b = { .y = 4 }, "r" }; struct point p = add(r.a, r.b); printf("%d %d %s\n", p.x, p.y, r.name); struct rect *q = &r; q->b.x = 7; struct rect s = *q; s.a.x = 100; printf("%d %d %d\n", r.a.x, s.a.x, s.b.x); printf("%d\n", add(p, add(p, p)).y); struct point ps[2] = { { 1 }, { 2, 3 } }; ps[0] = ps[1]; printf("%d %d %lu\n", ps[0].x, ps[0].y, sizeof r); return 0; }
