// calls: choose,use; refused 5: it is not known where both of these pointers point
int err;
static int a[3], *p = a, *q = a;
void choose(int n) { p = n ? a : a + 1; }
void use(void) { if (p == q) err = 1; }
