#include <stdio.h>
struct p { int x, y; }; int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } int px(struct p p) { return p.x * 10 + p.y; }
int main(void) { printf("%d\n", sum((int[]){ 1, 2, 3 }, 3)); printf("%d\n", px((struct p){ .y = 3, .x = 4 })); struct p q; q = (struct p){ 5 }; printf("%d %d\n", q.x, q.y); struct p *r = &(struct p){ 7, 8 }; printf("%d\n", r->y); return 0; }
