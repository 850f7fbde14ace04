#include <stdio.h>
int add(a, b, c) int a; char *b; double c; { return a + b[0] + c; }
int deflt(x) { return x + 1; }
int main() { printf("%d %d\n", add(1, "A", 2.5), deflt(4)); return 0; }
