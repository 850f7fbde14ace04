extern void __VERIFIER_assert(int);
static void call(void (*f)(void)) { f(); }
int main(void) { int x = 0; void in(void) { x = 5; } call(in); __VERIFIER_assert(x == 0); return 0; }
