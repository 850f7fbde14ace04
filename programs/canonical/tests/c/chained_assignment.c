#include <stdio.h>
int main(void) { int a, b, c; a = b = c = 7; printf("%d %d %d\n", a, b, c); unsigned char u; int w = u = 300; printf("%d %d\n", u, w); int n = 0; if ((n = 4) > 3) printf("%d\n", n); while ((n -= 1)) printf("%d ", n); printf("\n"); return 0; }
