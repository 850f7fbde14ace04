// calls: in,mv; refused 5: `mv` gets two pointers to structs of one type
struct S { int n; };
int err;
void in(struct S *a) { a->n = 1; }
void mv(struct S *a, struct S *b) { a->n = 0; if (b->n == 1) err = 1; }
