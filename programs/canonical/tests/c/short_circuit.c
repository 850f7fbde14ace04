#include <stdio.h>
int calls; int t(int v) { calls++; return v; }
int main(void) { int r = t(0) && t(1); printf("%d %d\n", r, calls); r = t(1) || t(0); printf("%d %d\n", r, calls); r = !(t(0) || t(2)) ; printf("%d %d\n", r, calls);
  if ((t(1) && t(0)) || (t(0) || t(3))) printf("yes %d\n", calls); r = t(5) && t(7); printf("%d\n", r); int *p = 0; if (p && *p) printf("no\n"); return calls; }
