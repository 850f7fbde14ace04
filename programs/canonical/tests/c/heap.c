#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int v; struct node *l, *r; };
struct node *insert(struct node *t, int v) { if (!t) { t = calloc(1, sizeof *t); t->v = v; } else if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v); return t; }
void walk(struct node *t) { if (!t) return; walk(t->l); printf("%d ", t->v); walk(t->r); free(t); }
int main(void) { struct node *t = 0; int v[] = { 5, 2, 8, 1, 9, 3 }; for (int i = 0; i < 6; i++) t = insert(t, v[i]); walk(t); char *s = malloc(4); strcpy(s, "abc"); s = realloc(s, 10); strcat(s, "def"); printf("%s\n", s); free(s); return 0; }
