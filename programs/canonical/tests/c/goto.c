#include <stdio.h>
int main(void) { int i = 0; again: if (i >= 3) goto done; printf("%d\n", i); i++; goto again; done: goto inside; while (i < 6) { i++; inside: printf("in %d\n", i); } return i; }
