// calls: f,g; refused 4: it is not known what the pointer `q` points to
int err; static int n;
static void set(int *p) {
    int *q = p; *q = 1; }
void f(void) { int x = 0; set(&x); if (x) err = 1; }
void g(void) { n = 1; }
