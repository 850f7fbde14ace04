// calls: f; refused 3: the order of evaluation is open in C, and matters for `i`
int err; static int i;
void f(void) { i = i++ + 1; if (i == 2) err = 1; }
