#include <stdio.h>
#define NAME(x) _Generic((x), int: "int", double: "double", char *: "string", default: "other")
_Static_assert(sizeof(int) == 4, "int");
int main(void) { printf("%s %s %s %s\n", NAME(1), NAME(2.0), NAME("x"), NAME(1u)); return 0; }
