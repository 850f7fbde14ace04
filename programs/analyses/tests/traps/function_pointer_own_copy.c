extern void __VERIFIER_assert(int);
static int one(void) { return 1; } static int two(void) { return 2; }
static void copy(void *to, const void *from, unsigned n) { char *t = to; const char *f = from; while (n--) *t++ = *f++; }
int main(void) { int (*p)(void) = one, (*q)(void) = two; copy(&p, &q, sizeof p); __VERIFIER_assert(p() == 1); return 0; }
