#include <stdio.h>
int main(void) { int a, b; a = (b = 3, b + 1); printf("%d %d\n", a, b); int i, j; for (i = 0, j = 5; i < j; i++, j--) ; printf("%d %d\n", i, j); int x = 1; int y = (x = 4, x) + (x = 5, x) * 0; printf("%d\n", y > 0); return 0; }
