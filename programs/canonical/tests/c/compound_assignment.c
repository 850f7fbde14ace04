#include <stdio.h>
int main(void) { int a = 10; a += 5; a -= 3; a *= 2; a /= 5; a %= 3; printf("%d\n", a); a <<= 4; a |= 3; a &= ~1; a ^= 0xff; a >>= 1; printf("%d\n", a);
  char c = 100; c += 100; printf("%d\n", c); unsigned char u = 200; u *= 2; printf("%d\n", u); int arr[3] = { 1, 2, 3 }; int i = 0; arr[i++] += 10; printf("%d %d\n", arr[0], i); double d = 1; d += 2; d /= 4; printf("%f\n", d); int k = 7; k *= 1.5; printf("%d\n", k); return 0; }
