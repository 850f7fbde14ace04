#include <stdio.h>
int next(void) { static int n = 10; static const char *names[] = { "a", "b" }; n++; printf("%s ", names[n % 2]); return n; }
int other(void) { static int n; return ++n; }
int main(void) { next(); next(); int r = next(); int o = other(); printf("%d %d %d\n", r, o, other()); return 0; }
