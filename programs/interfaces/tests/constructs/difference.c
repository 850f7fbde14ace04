// calls: next,use; length 6
int err;
static int a[6]; static int k, m = 1;
void next(void) { k = (k + 1) % 6; if (k == 0) m = m % 5 + 1; }
void use(void) { long d = &a[m] - &a[k]; if (d == 2 || &a[k] > a + 4 || &a[k] == &a[m] ) err = 1; }
