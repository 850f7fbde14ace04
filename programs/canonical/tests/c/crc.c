#include <stdio.h>
static unsigned long table[256]; static void make(void) { for (unsigned n = 0; n < 256; n++) { unsigned long c = n; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320UL ^ (c >> 1) : c >> 1; table[n] = c; } }
int main(void) { make(); const char *s = "123456789"; unsigned long c = 0xffffffffUL; while (*s) c = table[(c ^ (unsigned char)*s++) & 0xff] ^ (c >> 8); printf("%08lx\n", c ^ 0xffffffffUL); return 0; }
