extern void __VERIFIER_assert(int);
#include <time.h>
int main(void) { time_t a = 0, b = 400000000; struct tm *p = gmtime(&a); int y = p->tm_year; gmtime(&b); __VERIFIER_assert(p->tm_year == y); return 0; }
