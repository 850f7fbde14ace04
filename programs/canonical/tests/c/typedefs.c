#include <stdio.h>
typedef unsigned char byte; typedef int (*fn)(int); typedef struct node { int v; struct node *next; } node, *list; typedef int matrix[2][2];
static int twice(int x) { return 2 * x; }
int main(void) { byte b = 256 + 7; fn f = twice; matrix m = { { 1, 2 }, { 3, 4 } }; node n2 = { 2, 0 }, n1 = { 1, &n2 }; list l = &n1; int s = 0; for (; l; l = l->next) s += l->v; printf("%d %d %d %d\n", b, f(4), m[1][0], s); { int byte = 3; printf("%d\n", byte); } return 0; }
