// calls: next,use,sum; length 6
int err;
static int a[3]; static int k, n;
static int total(const int *from, const int *to) { return from && to ? 1 : 0; }
void next(void) { k = (k + 1) % 5; }
void use(void) { if (&a[k] == a + 3 || a + 3 - &a[k] == 2) err = 1; for (int i = 0; a + i != a + 3; i++) n = i; }
void sum(void) { n = total(a, a + 3); a[n] = 2; }
