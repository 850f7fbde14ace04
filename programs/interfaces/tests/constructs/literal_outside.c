// calls: next,use; length 6
static int n, last;
void next(void) { n = (n + 1) % 6; }
void use(void) { last = "abc"[n]; }
