#include <stdio.h>
#define likely(x) __builtin_expect(!!(x), 1)
int main(void) { int n = 5; if (likely(n > 3)) printf("likely %d\n", __builtin_constant_p(3)); long r = __builtin_expect(n, 1); printf("%ld\n", r); __extension__ typedef long long ll; ll z = 3; return z + __builtin_strlen("ab"); }
