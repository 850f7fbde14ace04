extern void __VERIFIER_assert(int);
#include <wchar.h>
int main(void) { wchar_t a[2] = L"a"; wcscpy(a, L"b"); __VERIFIER_assert(a[0] == L'a'); return 0; }
