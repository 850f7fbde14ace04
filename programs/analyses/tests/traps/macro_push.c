extern void __VERIFIER_assert(int);
#define X 1
#pragma push_macro("X")
#undef X
#define X 0
#pragma pop_macro("X")
int main(void) { __VERIFIER_assert(X == 0); return 0; }
