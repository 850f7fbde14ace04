#include <stdio.h>
int main(void) { int x = 0x12345678; printf("%d %d %u\n", (char)x, (short)x, (unsigned char)(x >> 8)); printf("%lx\n", (unsigned long)-1 >> 4); printf("%d\n", (signed char)0x80 >> 1); printf("%u\n", (unsigned)-5 / 2); (void)x; printf("%ld\n", (long)(int)4294967295u); printf("%d\n", (int)(unsigned char)-1 + 1); return 0; }
