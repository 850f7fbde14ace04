#include <stdlib.h>
void f(int n) { if (n == 3) exit(42); f(n + 1); }
int main(void) { f(0); return 1; }
