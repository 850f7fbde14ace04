extern _Noreturn void abort(void);
void __VERIFIER_assert(int cond) { if (!(cond)) { goto ERROR; } return; ERROR: { abort(); } }
int main(void) { int x = 2; __VERIFIER_assert(x == 1); return 0; }
