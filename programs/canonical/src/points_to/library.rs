//! C library functions with a known effect on pointers.

/// The effect of a function without a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// It returns new memory.
    Allocates,
    /// It keeps and returns no pointers.
    Harmless,
    /// The function returns its first argument, or a pointer into the same object.
    ReturnsFirst,
    /// The function copies the content of the second argument to the first, which it returns.
    Copies,
    /// The function returns new memory with the content of its first argument.
    Reallocates,
    /// The function is unknown.
    Unknown,
}

const ALLOCATES: [&str; 8] =
    ["malloc", "calloc", "strdup", "strndup", "alloca", "valloc", "memalign", "aligned_alloc"];

const COPIES: [&str; 5] = ["memcpy", "memmove", "mempcpy", "bcopy", "stpcpy"];

const RETURNS_FIRST: [&str; 15] = [
    "memset", "memchr", "memrchr", "strchr", "strrchr", "strstr", "strpbrk", "strcpy", "strncpy",
    "strcat", "strncat", "index", "rindex", "fgets", "gets",
];

/// Prefixes of the names of families of functions.
const FAMILIES: [&str; 14] = [
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "scanf",
    "fscanf",
    "sscanf",
    "__ctype",
    "bswap",
    "va_",
];

const HARMLESS: [&str; 74] = [
    "free",
    "exit",
    "abort",
    "strlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "memcmp",
    "strspn",
    "strcspn",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "getchar",
    "getc",
    "fgetc",
    "ungetc",
    "fopen",
    "fdopen",
    "fclose",
    "fread",
    "fwrite",
    "fseek",
    "ftell",
    "rewind",
    "feof",
    "ferror",
    "fflush",
    "fileno",
    "open",
    "close",
    "read",
    "write",
    "lseek",
    "stat",
    "fstat",
    "lstat",
    "unlink",
    "remove",
    "rename",
    "chmod",
    "isatty",
    "getenv",
    "atoi",
    "atol",
    "atof",
    "time",
    "clock",
    "rand",
    "srand",
    "random",
    "abs",
    "labs",
    "perror",
    "__errno_location",
    "__assert_fail",
    "sqrt",
    "pow",
    "exp",
    "log",
    "floor",
    "ceil",
    "fabs",
    "sin",
    "cos",
    "tan",
    "ldexp",
    "frexp",
    "fmod",
    "toupper",
    "tolower",
];

/// The effect of a function on pointers.
pub fn model(name: &str) -> Model {
    let name = crate::library_name(name);
    if ALLOCATES.contains(&name) {
        return Model::Allocates;
    }
    if COPIES.contains(&name) {
        return Model::Copies;
    }
    if RETURNS_FIRST.contains(&name) {
        return Model::ReturnsFirst;
    }
    let family = FAMILIES.iter().any(|start| name.starts_with(start));
    if name == "realloc" {
        Model::Reallocates
    } else if HARMLESS.contains(&name) || family {
        Model::Harmless
    } else {
        Model::Unknown
    }
}
