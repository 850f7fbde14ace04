// calls: f,g; refused 4: it is not known what the pointer `q` points to
struct s { int n, m; };
int err;
void f(struct s *p) { int *q = &p->n; *q = 1; }
void g(struct s *p) { if (p->n) err = 1; }
