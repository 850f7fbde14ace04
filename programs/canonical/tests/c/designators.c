#include <stdio.h>
struct in { int a, b[3]; }; struct out { struct in i[2]; int z; };
int main(void) { struct out o = { .i[1].b[1] = 5, 6, .z = 7, .i[0] = { 1, { 2 } } }; printf("%d %d %d %d %d\n", o.i[1].b[1], o.i[1].b[2], o.z, o.i[0].a, o.i[0].b[0]); struct in flat[] = { 1, 2, 3, 4, 5, 6 }; printf("%lu %d %d\n", sizeof flat / sizeof *flat, flat[0].b[2], flat[1].b[0]); int r[10] = { [2 ... 4] = 3, 9 }; printf("%d %d %d\n", r[3], r[5], r[6]); return 0; }
