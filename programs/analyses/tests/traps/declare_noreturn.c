extern void __VERIFIER_assert(int);
_Noreturn static void die(void) { __VERIFIER_assert(0); __builtin_trap(); }
int main(void) { die(); }
