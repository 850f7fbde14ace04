// calls: f; refused 4: `cleanup` has no translation
int err;
static void done(int *p) { err = *p; }
void f(void) { int n __attribute__((cleanup(done))) = 1; n = 1; }
