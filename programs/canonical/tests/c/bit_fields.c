#include <stdio.h>
struct f { unsigned a : 3; int b : 5; unsigned c : 10; unsigned : 0; unsigned d : 1; unsigned char e : 4; };
int main(void) { struct f x = { 9 & 7, -3, 1000, 1, 15 }; printf("%d %d %d %d %d %lu\n", x.a, x.b, x.c, x.d, x.e, sizeof x); x.a += 7; x.b = 17; x.c++; x.e *= 3; printf("%d %d %d %d\n", x.a, x.b, x.c, x.e); printf("%d\n", x.a - 8 < 0); struct f *p = &x; p->d = 2; printf("%d\n", p->d = 3); return x.a; }
