extern void __VERIFIER_assert(int);
#include <unistd.h>
int main(void) { char *v[] = {"x", "-a", 0}; getopt(2, v, "a"); __VERIFIER_assert(optind == 1); return 0; }
