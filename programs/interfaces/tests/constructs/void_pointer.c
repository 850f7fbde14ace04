// calls: get,use; refused 4: it is not known what the pointer `p` points to
void fill(void *);
int err; static int n; static void *p = &n;
void get(void) { fill(p); }
void use(void) { if (n) err = 1; }
