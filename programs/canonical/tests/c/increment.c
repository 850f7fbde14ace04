#include <stdio.h>
int main(void) { int i = 5; printf("%d\n", i++); printf("%d\n", ++i); printf("%d\n", i--); printf("%d\n", --i); int a[4] = { 1, 2, 3, 4 }; int *p = a; printf("%d\n", *p++); printf("%d\n", *++p); printf("%d\n", (*p)++); printf("%d %d\n", *p, (int)(p - a)); unsigned char c = 255; c++; printf("%d\n", c); return i; }
