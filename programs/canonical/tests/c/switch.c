#include <stdio.h>
int f(int x) { int r = 0; switch (x) { case 1: r += 1; case 2: r += 10; break; case 3: { r = 5; break; } case 'a': return -1; default: r = 99; case 7: r++; } return r; }
int g(unsigned char c) { switch (c) { case 0 ... 9: return 0; case 10 ... 99: return 1; } return 2; }
int main(void) { int t[] = { 1, 2, 3, 97, 4, 7 }; for (int i = 0; i < 6; i++) printf("%d ", f(t[i])); printf("%d %d %d\n", g(3), g(50), g(200)); return 0; }
