#include <stdio.h>
enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 }; enum neg { MINUS = -1, ZERO };
int main(void) { enum color c = BLUE; enum neg n = MINUS; printf("%d %d %d\n", c, LAST, n < 0); printf("%lu %d\n", sizeof c, RED); int t[LAST] = { [GREEN] = 3 }; printf("%d\n", t[5]); switch (c) { case BLUE: printf("blue\n"); break; default: ; } enum { LOCAL = 3 }; return LOCAL; }
