#include <stdio.h>
void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
int main(void) { int x = 1, y = 2; swap(&x, &y); printf("%d %d\n", x, y); int *p = &x, **q = &p; **q = 9; *q = &y; *p = 8; printf("%d %d\n", x, y); int a[10]; for (int *r = a; r < a + 10; ++r) *r = r - a; printf("%d %d\n", a[7], *(a + 3)); void *v = &a[2]; printf("%d %d\n", *(int *)v, ((int *)v)[1]); unsigned char *c = (unsigned char *)&a[5]; printf("%d\n", c[0]); long n = (long)&a[4] - (long)&a[1]; printf("%ld %d\n", n, p == &y); return 0; }
