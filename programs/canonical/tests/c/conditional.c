#include <stdio.h>
int main(void) { int a = 3; int b = a > 2 ? a < 5 ? 1 : 2 : 3; printf("%d\n", b); printf("%s\n", b ? "t" : "f"); long l = a ? -1 : 1u; printf("%ld\n", l);
  int x = 0, y = 0; a ? x++ : y++; printf("%d %d\n", x, y); *(a ? &x : &y) = 9; printf("%d\n", x); return (a == 3 ? 4 : 5) + (a != 3 ? 4 : 5); }
