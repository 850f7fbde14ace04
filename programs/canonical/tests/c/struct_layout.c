#include <stdio.h>
#include <stddef.h>
struct a { char c; int i; char d; double f; short s; }; struct b { char x[3]; struct a a; long l; }; union u { char c[5]; int i; long l; }; struct anon { int k; union { int i; char c[4]; }; struct { int p, q; } n; };
int main(void) { printf("%lu %lu %lu\n", sizeof(struct a), sizeof(struct b), sizeof(union u)); printf("%lu %lu %lu\n", offsetof(struct a, f), offsetof(struct b, a), offsetof(struct b, l)); printf("%lu\n", (size_t)&((struct b *)0)->a.d); struct anon z = { 1, { 258 }, { 3, 4 } }; printf("%d %d %d %d\n", z.c[0], z.c[1], z.n.q, z.i); return 0; }
