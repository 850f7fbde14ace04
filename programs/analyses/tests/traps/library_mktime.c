extern void __VERIFIER_assert(int);
#include <time.h>
int main(void) { struct tm t = {0}; t.tm_mday = 40; t.tm_year = 100; mktime(&t); __VERIFIER_assert(t.tm_mday == 40); return 0; }
