#include <stdio.h>
int x = 1;
int main(void) { printf("%d ", x); int x = 2; { int x = 3; printf("%d ", x); { extern int x; printf("%d ", x); } } printf("%d ", x); for (int x = 9; x < 10; x++) printf("%d ", x); struct s { int a; }; { struct s { char b; }; printf("%lu ", sizeof(struct s)); } printf("%lu\n", sizeof(struct s)); return 0; }
