#include <stdio.h>
typedef short narrow;
int main(void) { __typeof__(narrow) a = 70000; typeof(a) b = a + 1; { int narrow = 7; typeof(narrow) c = 70000; printf("%d %d %d %d\n", a, b, c, narrow); } return 0; }
