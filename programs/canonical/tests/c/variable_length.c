#include <stdio.h>
int f(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = i * i; int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s + (int)sizeof a; }
int main(void) { printf("%d %d\n", f(3), f(10)); return 0; }
