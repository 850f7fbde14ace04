#include <stdio.h>
int main(void) { int n = 11, k = (n + 3) / 4, s = 0; switch (n % 4) { case 0: do { s += 1; case 3: s += 1; case 2: s += 1; case 1: s += 1; } while (--k > 0); } printf("%d\n", s); return 0; }
