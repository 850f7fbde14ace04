#include <stdio.h>
int main(void) { int c, n = 0, words = 0, in = 0; while ((c = getchar()) != EOF) { n++; if (c == ' ' || c == '\n') in = 0; else if (!in) { in = 1; words++; } } printf("%d %d\n", n, words); return 0; }
