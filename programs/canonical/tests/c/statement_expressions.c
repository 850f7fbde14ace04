#include <stdio.h>
#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
int main(void) { int i = 3; int m = MAX(i++, 2); printf("%d %d\n", m, i); int s = ({ int t = 0; for (int k = 0; k < 4; k++) t += k; t; }) + 1; printf("%d\n", s); return 0; }
