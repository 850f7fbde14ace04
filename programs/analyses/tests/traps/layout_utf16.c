extern void __VERIFIER_assert(int);
#include <uchar.h>
int main(void) { __VERIFIER_assert(sizeof(u"ab") == 3); return 0; }
