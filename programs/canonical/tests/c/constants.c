#include <stdio.h>
int main(void) { printf("%d %d %d %d\n", 0x1F, 017, 'a', '\n'); printf("%lu\n", sizeof(4294967295)); printf("%lu\n", sizeof(0xffffffff)); printf("%lu %lu\n", sizeof(1L), sizeof('a'));
  printf("%d\n", '\377'); printf("%d\n", 'ab'); printf("%s", "a\tb\x41\102\\\"\n"); printf("%d\n", (int)sizeof("hello")); return 0; }
