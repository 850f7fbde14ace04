// calls: f,g; length 6
#include <stdio.h>
static int a[2], n;
void f(void) { printf("%d", a[n]); }
void g(void) { n = (n + 1) % 3; }
