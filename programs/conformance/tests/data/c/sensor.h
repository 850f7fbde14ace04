typedef struct { int setting; int valid; } Sensor;
void writeBool(int value);
void writeDouble(double value);
int readBool(void);
double readDouble(void);
void sep(void);
int more(void);
void update(Sensor *device);
