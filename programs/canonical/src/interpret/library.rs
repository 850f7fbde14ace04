//! The part of C's library that programs of tests use.

use super::format::format;
use super::{Fault, Host, Memory, Stop, Value};
use crate::model::{Function, Type};

/// A host with input, output, memory and strings.
#[derive(Debug, Default)]
pub struct Library {
    /// The bytes that `getchar` has not read yet. The next byte is last.
    pub input: Vec<u8>,
    /// Everything that was written.
    pub output: Vec<u8>,
}

/// The maximum number of bytes of output.
const OUTPUT: usize = 16 << 20;

impl Library {
    /// A host whose program reads these bytes.
    pub fn new(input: &[u8]) -> Self {
        Self { input: input.iter().rev().copied().collect(), output: Vec::new() }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<Value, Stop> {
        if self.output.len() + bytes.len() > OUTPUT {
            return Err(Stop::Undefined(Fault::OutOfMemory, None));
        }
        self.output.extend(bytes);
        Ok(Value::Int(bytes.len() as i128))
    }
}

/// Arguments with their types.
struct Arguments<'a>(&'a [Value]);

impl Arguments<'_> {
    fn int(&self, k: usize) -> Result<i128, Stop> {
        match self.0.get(k) {
            Some(Value::Int(value)) => Ok(*value),
            _ => Err(fault(Fault::BadCall)),
        }
    }

    fn size(&self, k: usize) -> Result<u64, Stop> {
        u64::try_from(self.int(k)?).map_err(|_| fault(Fault::WildPointer))
    }
}

fn fault(fault: Fault) -> Stop {
    Stop::Undefined(fault, None)
}

impl Host for Library {
    fn call(
        &mut self,
        memory: &mut Memory,
        function: &Function,
        arguments: &[Value],
        _result: Option<&Type>,
    ) -> Result<Value, Stop> {
        let given = Arguments(arguments);
        let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
        match name {
            "printf" => {
                let text = memory.text(given.size(0)?).map_err(fault)?;
                let text = format(memory, text, &arguments[1..]).map_err(fault)?;
                self.write(&text)
            }
            "sprintf" => {
                let text = memory.text(given.size(1)?).map_err(fault)?;
                let mut text = format(memory, text, &arguments[2..]).map_err(fault)?;
                text.push(0);
                memory.write(given.size(0)?, &text).map_err(fault)?;
                Ok(Value::Int(text.len() as i128 - 1))
            }
            "putchar" => {
                let byte = given.int(0)?.to_le_bytes()[0];
                self.write(&[byte])?;
                Ok(Value::Int(byte.into()))
            }
            "puts" => {
                let mut text = memory.text(given.size(0)?).map_err(fault)?.to_vec();
                text.push(b'\n');
                self.write(&text)
            }
            "getchar" => Ok(Value::Int(self.input.pop().map_or(-1, i128::from))),
            "exit" => Err(Stop::Exit(i32::try_from(given.int(0)?).unwrap_or(0) & 0xff)),
            "abort" | "__assert_fail" => Err(Stop::Abort),
            "abs" | "labs" => {
                let value = given.int(0)?;
                if value == i128::from(i32::MIN) && name == "abs" {
                    return Err(fault(Fault::Overflow));
                }
                Ok(Value::Int(value.abs()))
            }
            _ => match strings(memory, name, &given)? {
                Some(value) => Ok(value),
                None => Err(Stop::External(function.name.clone())),
            },
        }
    }
}

/// Evaluates functions of memory and strings; returns `None` for others.
fn strings(memory: &mut Memory, name: &str, given: &Arguments<'_>) -> Result<Option<Value>, Stop> {
    let first = || given.int(0).map(Value::Int);
    let text = |memory: &Memory, k: usize| -> Result<Vec<u8>, Stop> {
        Ok(memory.text(given.size(k)?).map_err(fault)?.to_vec())
    };
    let order = |order: std::cmp::Ordering| Value::Int(order as i128);
    Ok(Some(match name {
        "malloc" => Value::Int(memory.allocate(given.size(0)?, false).map_err(fault)?.into()),
        "calloc" => {
            let size = given.size(0)?.checked_mul(given.size(1)?);
            let size = size.ok_or(fault(Fault::OutOfMemory))?;
            Value::Int(memory.allocate(size, true).map_err(fault)?.into())
        }
        "realloc" => {
            let (old, size) = (given.size(0)?, given.size(1)?);
            let new = memory.allocate(size, false).map_err(fault)?;
            if old != 0 {
                let (length, _) = memory.extent(old).ok_or(fault(Fault::BadFree))?;
                let bytes = memory.read(old, length.min(size)).map_err(fault)?.to_vec();
                memory.write(new, &bytes).map_err(fault)?;
                memory.free(old).map_err(fault)?;
            }
            Value::Int(new.into())
        }
        "free" => {
            let address = given.size(0)?;
            if address != 0 {
                memory.free(address).map_err(fault)?;
            }
            Value::Void
        }
        "memcpy" | "memmove" => {
            let bytes = memory.read(given.size(1)?, given.size(2)?).map_err(fault)?.to_vec();
            memory.write(given.size(0)?, &bytes).map_err(fault)?;
            first()?
        }
        "memset" => {
            let (size, byte) = (given.size(2)?, given.int(1)?.to_le_bytes()[0]);
            memory.read(given.size(0)?, size).map_err(fault)?;
            let bytes = vec![byte; usize::try_from(size).unwrap_or(0)];
            memory.write(given.size(0)?, &bytes).map_err(fault)?;
            first()?
        }
        "memcmp" => {
            let size = given.size(2)?;
            let a = memory.read(given.size(0)?, size).map_err(fault)?;
            order(a.cmp(memory.read(given.size(1)?, size).map_err(fault)?))
        }
        "strlen" => Value::Int(text(memory, 0)?.len() as i128),
        "strcmp" => order(text(memory, 0)?.cmp(&text(memory, 1)?)),
        "strcpy" | "strcat" => {
            let mut bytes = text(memory, 1)?;
            bytes.push(0);
            let skip = if name == "strcat" { text(memory, 0)?.len() as u64 } else { 0 };
            memory.write(given.size(0)? + skip, &bytes).map_err(fault)?;
            first()?
        }
        "strchr" => {
            let (bytes, wanted) = (text(memory, 0)?, given.int(1)?.to_le_bytes()[0]);
            let found = bytes.iter().chain(&[0]).position(|byte| *byte == wanted);
            Value::Int(match found {
                Some(k) => given.int(0)? + k as i128,
                None => 0,
            })
        }
        _ => return Ok(None),
    }))
}
