extern void __VERIFIER_assert(int);
int main(void) { int x = ({ int t = 4; t + 1; }); __VERIFIER_assert(x == 4); return 0; }
