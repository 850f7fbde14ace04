extern void __VERIFIER_assert(int);
static int n;
static void f(int a[n++]) { }
int main(void) { f(0); __VERIFIER_assert(n == 0); return 0; }
