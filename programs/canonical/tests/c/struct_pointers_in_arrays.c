#include <stdio.h>
struct cmd { const char *name; int args[2]; struct cmd *next; }; static struct cmd b = { "b", { 3, 4 }, 0 }, a = { "a", { 1, 2 }, &b }; static struct cmd *all[] = { &a, &b, 0 };
int main(void) { for (struct cmd **c = all; *c; c++) { struct cmd *d = *c; int k = 0; while (d) { k += d->args[1]; d = d->next; } printf("%s %d\n", (*c)->name, k); } all[0]->next->args[0]++; printf("%d\n", b.args[0]); return all[2] == 0; }
