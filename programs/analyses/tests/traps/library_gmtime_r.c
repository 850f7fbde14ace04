extern void __VERIFIER_assert(int);
#include <time.h>
int main(void) { time_t a = 0; struct tm t = {0}; gmtime_r(&a, &t); __VERIFIER_assert(t.tm_year == 0); return 0; }
