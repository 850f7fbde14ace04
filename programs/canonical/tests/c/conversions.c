#include <stdio.h>
int main(void) { int a = -1; unsigned b = 1; printf("%d\n", a < b); printf("%d\n", (long)a < (long)b); signed char c = 200; printf("%d\n", c);
  unsigned char u = -1; printf("%d %d\n", u, u == -1); short s = 70000; printf("%d\n", s); printf("%d\n", (unsigned short)-1 > 0);
  long l = 1u << 31; printf("%ld\n", l); long m = 1 << 30; printf("%ld\n", m * 4); printf("%d\n", (char)321); _Bool t = 256; printf("%d\n", t); return 0; }
