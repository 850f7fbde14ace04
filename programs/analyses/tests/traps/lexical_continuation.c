extern void __VERIFIER_assert(int);
int main(void) { int x = 1; // the next line is in this comment \
  x = 0;
  __VERIFIER_assert(x == 0); return 0; }
