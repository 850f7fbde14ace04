// calls: f; refused 4: the order of evaluation is open in C, and matters for `i`
int err; static int a[4], i;
static int next(void) { i = (i + 1) % 4; return i; }
void f(void) { a[i] = next(); if (a[1] == 1) err = 1; }
