#include <stdio.h>
int n; int f(void) { n++; return 1; }
int main(void) { int a[7]; printf("%lu %lu %lu %lu\n", sizeof a, sizeof(f()), sizeof a[0], sizeof(a + 1)); printf("%lu %d\n", sizeof(n++), n); typeof(a[0]) t = 3; __typeof__(&t) p = &t; printf("%d %lu\n", *p, _Alignof(double)); return 0; }
