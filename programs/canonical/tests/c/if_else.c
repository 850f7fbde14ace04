#include <stdio.h>
int sign(int x) { if (x > 0) return 1; else if (x < 0) return -1; else return 0; }
int main(void) { printf("%d %d %d\n", sign(5), sign(-5), sign(0)); if (0) printf("no\n"); if (1) ; else printf("no\n"); return 0; }
