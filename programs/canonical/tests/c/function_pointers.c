#include <stdio.h>
int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; } int mul(int a, int b) { return a * b; }
int (*pick(int k))(int, int) { return k == 0 ? add : k == 1 ? &sub : mul; }
int apply(int f(int, int), int x) { return f(x, 3); }
int main(void) { int (*t[3])(int, int) = { add, sub, mul }; for (int i = 0; i < 3; i++) printf("%d %d %d\n", t[i](7, 2), (*t[i])(1, 1), pick(i)(9, 4)); printf("%d %d\n", apply(add, 1), apply(mul, 5)); struct op { const char *n; int (*f)(int, int); } o = { "sub", sub }; printf("%s %d %d\n", o.n, o.f(3, 1), (****o.f)(4, 1)); return 0; }
