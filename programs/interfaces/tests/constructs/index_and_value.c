// calls: f; refused 3: the order of evaluation is open in C, and matters for `i`
int err; static int a[4], i;
void f(void) { a[i] = i++; if (i > 3) err = 1; }
