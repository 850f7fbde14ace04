#include <stdio.h>
int main(void) { for (int i = 2; i < 40; i++) { int p = 1; for (int j = 2; j * j <= i; j++) if (i % j == 0) { p = 0; break; } if (p) printf("%d ", i); } printf("\n"); return 0; }
