#include <stdio.h>
#define SQ(x) ((x) * (x))
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define CAT(a, b) a##b
#define STR(x) #x
#if defined(FOO) || 2 > 1
#define MODE 3
#else
#error no
#endif
int main(void) { int CAT(va, r) = SQ(2 + 1); FOR(k, 2) printf("%d ", k); printf("%d %s %d %s %d\n", var, STR(a + b), MODE, __func__, __LINE__); return 0; }
