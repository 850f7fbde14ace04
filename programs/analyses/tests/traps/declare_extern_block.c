extern void __VERIFIER_assert(int);
int g = 5;
int main(void) { int g = 1; { extern int g; __VERIFIER_assert(g == 1); } return 0; }
