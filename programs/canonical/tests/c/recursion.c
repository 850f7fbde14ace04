#include <stdio.h>
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int even(int); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int ack(int m, int n) { if (!m) return n + 1; if (!n) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
int main(void) { printf("%d %d %d\n", fib(15), even(10), ack(2, 3)); return 0; }
