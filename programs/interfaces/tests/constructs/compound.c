// calls: f; refused 4: the order of evaluation is open in C, and matters for `total`
int err; static int total;
static int next(void) { return ++total; }
void f(void) { total += next(); if (total == 3) err = 1; }
