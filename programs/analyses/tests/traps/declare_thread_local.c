extern void __VERIFIER_assert(int);
static _Thread_local int g = 2;
int main(void) { g++; __VERIFIER_assert(g == 2); return 0; }
