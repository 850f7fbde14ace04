extern void abort(void);
int main(void) { abort(); }
