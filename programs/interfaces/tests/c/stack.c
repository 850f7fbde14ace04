#define MAX 3

typedef struct { int el[MAX]; int top; } stackT;

int err;
static stackT stack;

void push(int sd)
{
    if (stack.top == MAX) {
        err = 1;
    } else {
        stack.el[stack.top] = sd;
        stack.top = stack.top + 1;
    }
}

int pop(void)
{
    if (stack.top == 0) {
        err = 1;
        return 0;
    }
    return stack.el[--stack.top];
}
