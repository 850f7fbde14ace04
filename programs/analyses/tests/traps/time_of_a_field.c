extern void __VERIFIER_assert(int);
#include <time.h>
static struct { time_t a, b; } s;
int main(void) { time(&s.b); __VERIFIER_assert(s.b == 0); return 0; }
