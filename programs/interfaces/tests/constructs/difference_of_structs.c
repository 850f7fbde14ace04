// calls: next,use; length 6
int err;
static struct { int x; char y[3]; } a[4]; static int k;
void next(void) { k = (k + 1) % 4; }
void use(void) { if (&a[3] - (a + k) == 1 || &a[1].y[2] - a[1].y == k) err = 1; }
