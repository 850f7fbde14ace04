extern void __VERIFIER_assert(int);
typedef union { int *i; float *f; } any __attribute__((transparent_union));
static void set(any a) { *a.i = 5; }
int main(void) { int x = 0; set(&x); __VERIFIER_assert(x == 0); return 0; }
