#include <stdio.h>
int main(void) { unsigned a = 0; a--; printf("%u\n", a); a += 2; printf("%u\n", a); unsigned char c = 250; c += 10; printf("%d\n", c);
  unsigned short s = 65535; s++; printf("%d\n", s); unsigned long l = -1; printf("%lu\n", l * l); printf("%lu\n", l + 2); return 0; }
