// calls: f,g; refused 4: `u` has no translation
int err;
static union { int i; char c[4]; } u;
void f(void) { u.i = 258; }
void g(void) { if (u.c[0] == 2) err = 1; }
