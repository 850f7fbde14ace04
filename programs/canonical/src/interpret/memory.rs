//! Memory: objects with addresses that leave room between them.

use super::fault::Fault;

/// The number of bits of an address that are the offset in its object.
const OFFSET_BITS: u32 = 32;

/// Addresses of functions have this bit.
const FUNCTION: u64 = 1 << 62;

/// The value of bytes to which nothing was written.
const UNDETERMINED: u8 = 0xa5;

/// Memory as numbered objects. An address is an object and an offset. So the use of a pointer outside its object is
/// noticed, and pointers can be converted to integers and back.
#[derive(Debug, Default)]
pub struct Memory {
    objects: Vec<Option<Box<[u8]>>>,
    /// The number of bytes in use, and the maximum.
    used: u64,
    limit: u64,
}

impl Memory {
    /// Memory of at most `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self { objects: Vec::new(), used: 0, limit }
    }

    /// Adds an object and returns its address. Its bytes are either zero or undetermined.
    ///
    /// # Errors
    /// Returns [`Fault::OutOfMemory`].
    pub fn allocate(&mut self, size: u64, zero: bool) -> Result<u64, Fault> {
        // Each object costs some bytes, even an empty one.
        let used = self.used.checked_add(size).and_then(|used| used.checked_add(16));
        let used = used.filter(|used| *used <= self.limit).ok_or(Fault::OutOfMemory)?;
        let length = usize::try_from(size).map_err(|_| Fault::OutOfMemory)?;
        self.used = used;
        let fill = if zero { 0 } else { UNDETERMINED };
        self.objects.push(Some(vec![fill; length].into_boxed_slice()));
        Ok((self.objects.len() as u64) << OFFSET_BITS)
    }

    /// Frees an object by the address of its beginning.
    ///
    /// # Errors
    /// Returns [`Fault::BadFree`] if there is none.
    pub fn free(&mut self, address: u64) -> Result<(), Fault> {
        let (object, offset) = split(address).ok_or(Fault::BadFree)?;
        let entry = self.objects.get_mut(object).filter(|_| offset == 0).ok_or(Fault::BadFree)?;
        let bytes = entry.take().ok_or(Fault::BadFree)?;
        self.used -= bytes.len() as u64;
        Ok(())
    }

    /// The size of the object at an address, and the offset in it.
    pub fn extent(&self, address: u64) -> Option<(u64, u64)> {
        let (object, offset) = split(address)?;
        let bytes = self.objects.get(object)?.as_ref()?;
        Some((bytes.len() as u64, offset as u64))
    }

    /// Bytes of one object.
    ///
    /// # Errors
    /// Returns an error if there is no object, or if it ends before the last byte.
    pub fn read(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        let (object, offset) = split(address).ok_or(pointer_fault(address))?;
        let bytes = self.objects.get(object).ok_or(Fault::WildPointer)?;
        let bytes = bytes.as_ref().ok_or(Fault::UseAfterEnd)?;
        let size = usize::try_from(size).map_err(|_| Fault::OutOfBounds)?;
        let end = offset.checked_add(size).ok_or(Fault::OutOfBounds)?;
        bytes.get(offset..end).ok_or(Fault::OutOfBounds)
    }

    /// Replaces bytes of one object.
    ///
    /// # Errors
    /// As [`Memory::read`].
    pub fn write(&mut self, address: u64, value: &[u8]) -> Result<(), Fault> {
        self.read(address, value.len() as u64)?;
        let Some((object, offset)) = split(address) else { return Err(Fault::WildPointer) };
        if let Some(Some(bytes)) = self.objects.get_mut(object) {
            bytes[offset..offset + value.len()].copy_from_slice(value);
        }
        Ok(())
    }

    /// The bytes from an address up to a zero, without it.
    ///
    /// # Errors
    /// As [`Memory::read`], and if no zero follows.
    pub fn text(&self, address: u64) -> Result<&[u8], Fault> {
        self.read(address, 0)?;
        let (size, offset) = self.extent(address).ok_or(Fault::WildPointer)?;
        let rest = self.read(address, size - offset)?;
        let end = rest.iter().position(|byte| *byte == 0).ok_or(Fault::OutOfBounds)?;
        Ok(&rest[..end])
    }
}

/// The address of a function.
pub fn function_address(function: u32) -> u64 {
    FUNCTION | u64::from(function) << 4
}

/// The function at an address.
pub fn function_at(address: u64) -> Option<u32> {
    let number = (address & FUNCTION != 0).then_some((address & !FUNCTION) >> 4)?;
    u32::try_from(number).ok()
}

/// The position of an object, and the offset in it.
fn split(address: u64) -> Option<(usize, usize)> {
    let object = usize::try_from(address >> OFFSET_BITS).ok()?.checked_sub(1)?;
    let offset = usize::try_from(address & ((1 << OFFSET_BITS) - 1)).ok()?;
    Some((object, offset))
}

fn pointer_fault(address: u64) -> Fault {
    if address < 4096 { Fault::NullPointer } else { Fault::WildPointer }
}
