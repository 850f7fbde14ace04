extern void __VERIFIER_assert(int);
#include <wchar.h>
int main(void) { __VERIFIER_assert(sizeof(L"ab") == 6); return 0; }
