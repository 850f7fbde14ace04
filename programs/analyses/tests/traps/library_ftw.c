extern void __VERIFIER_assert(int);
#include <ftw.h>
static int visit(const char *p, const struct stat *s, int f) { __VERIFIER_assert(0); return 1; }
int main(void) { ftw("/dev/null", visit, 1); return 0; }
