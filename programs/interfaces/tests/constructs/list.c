// calls: f; refused 3: the order of evaluation is open in C, and matters for `i`
int err; static int i;
void f(void) { int a[2] = { i++, i++ }; if (a[0] > a[1]) err = 1; }
