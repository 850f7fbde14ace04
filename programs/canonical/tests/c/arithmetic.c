#include <stdio.h>
int main(void) { int a = -7, b = 2; printf("%d %d %d %d\n", a / b, a % b, a * b, a - b);
  printf("%d %d %d\n", a >> 1, 5 << 3, ~a); printf("%d %d %d\n", 6 & 3, 6 | 3, 6 ^ 3); return a + 10; }
