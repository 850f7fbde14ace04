// calls: f,g; length 5
#include <string.h>
int err; struct q { int head, tail; int v[3]; };
void f(struct q *q, int x) { if ((q->tail + 1) % 3 == q->head) { err = 1; return; } q->v[q->tail] = x & 1; q->tail = (q->tail + 1) % 3; }
int g(struct q *q) { if (q->tail == q->head) { memset(q, 0, sizeof *q); err = 1; return 0; } int r = q->v[q->head]; q->head = (q->head + 1) % 3; if (r == 1 && q->head == 2) err = 1; return r; }
