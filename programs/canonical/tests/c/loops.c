#include <stdio.h>
int main(void) { int i, n = 0; for (i = 0; i < 10; i++) { if (i == 3) continue; if (i == 8) break; n += i; } printf("%d %d\n", i, n);
  while (n > 0) n -= 4; printf("%d\n", n); do { n++; if (n == 2) continue; } while (n < 5); printf("%d\n", n); for (;;) { if (++n > 9) break; } printf("%d\n", n);
  for (int j = 0, k = 10; j < k; j++, k--) printf("%d%d ", j, k); printf("\n"); return 0; }
