// calls: f; refused 5: the order of evaluation is open in C, and matters for `n`
int err; static int n = 1;
static int g(void) { return n += 2; }
static int h(void) { return n *= 3; }
void f(void) { if (g() + h() == 12) err = 1; }
