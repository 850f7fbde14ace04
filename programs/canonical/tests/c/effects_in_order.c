#include <stdio.h>
int k; int f(void) { return ++k; }
int main(void) { int a = f(); int b = f() + 0; a = f() * 2 - b; printf("%d %d\n", a, b); int t[5] = { 0 }; int i = 0; t[i++] = 5; t[i] = i; i = i + 1; t[i++] = t[0]; printf("%d %d %d %d\n", t[0], t[1], t[2], i); int x = 0; x = x++ ? 1 : x; printf("%d\n", (k = 3, k++ && k)); return 0; }
