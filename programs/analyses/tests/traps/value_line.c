extern void __VERIFIER_assert(int);
int main(void) {
#line 7
  __VERIFIER_assert(__LINE__ == 4); return 0; }
