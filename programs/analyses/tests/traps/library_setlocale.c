extern void __VERIFIER_assert(int);
#include <locale.h>
int main(void) { __VERIFIER_assert(setlocale(LC_ALL, "C") == 0); return 0; }
