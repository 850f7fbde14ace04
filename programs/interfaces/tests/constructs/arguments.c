// calls: f; refused 4: the order of evaluation is open in C, and matters for `i`
int err; static int i;
static int sub(int a, int b) { return a - b; }
void f(void) { if (sub(i++, i++) < 0) err = 1; }
