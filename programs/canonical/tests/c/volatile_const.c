#include <stdio.h>
volatile int v = 3; const int c[] = { 1, 2 }; static inline int in(const volatile int *p) { return *p; }
int main(void) { register int r = v; v++; printf("%d %d %d\n", r, in(&v), c[1]); const char *const s[] = { "a", "b" }; printf("%s\n", s[1]); return 0; }
