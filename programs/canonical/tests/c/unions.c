#include <stdio.h>
union u { unsigned char b[4]; unsigned int i; float f; };
int main(void) { union u v; v.i = 0x01020304; printf("%d %d %d %d\n", v.b[0], v.b[1], v.b[2], v.b[3]); v.f = 1.0f; printf("%x\n", v.i); union u w = { { 1, 2 } }; printf("%u\n", w.i); union u x = { .f = -2.5f }; printf("%x\n", x.i); return 0; }
