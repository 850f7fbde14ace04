#include <stdio.h>
typedef unsigned int u32; static u32 rol(u32 x, int k) { return x << k | x >> (32 - k); }
int main(void) { u32 h = 2166136261u; for (int i = 0; i < 100; i++) { h ^= i; h *= 16777619; h = rol(h, 5) + (h & 0xff); } printf("%u %d\n", h, (int)(h % 97)); long long q = 1; for (int i = 1; i < 20; i++) q *= i; printf("%lld\n", q); return 0; }
