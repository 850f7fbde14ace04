//! The functions of Z3's C interface: each jumps to where its slot points.
//!
//! They are in assembly because that needs no signatures: arguments, stack and return address are unchanged. They are
//! hidden, so libz3 itself never calls them. The slots are in the same object, so code that fills them is linked with
//! all functions.

#![allow(unsafe_code)]

use std::arch::global_asm;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::state::LOADED;

/// A line `forward NAME` for each function.
const FORWARDS: &str = include_str!("functions.s");

/// The number of functions.
const COUNT: usize = {
    let (mut lines, mut k) = (0, 0);
    while k < FORWARDS.len() {
        lines += (FORWARDS.as_bytes()[k] == b'\n') as usize;
        k += 1;
    }
    lines
};

/// The code of one function: a jump to where the slot points, or to `absent` with the slot if it is empty.
#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    () => {
        "
        mov rax, qword ptr [rip + .Lslot_\\name]
        test rax, rax
        je .Lempty_\\name
        jmp rax
        .Lempty_\\name:
        lea rdi, [rip + .Lslot_\\name]
        jmp {absent}
        "
    };
}

/// As above. Register 16 is for such code: it holds nothing across a call.
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    () => {
        "
        adrp x16, .Lslot_\\name
        ldr x16, [x16, :lo12:.Lslot_\\name]
        cbz x16, .Lempty_\\name
        br x16
        .Lempty_\\name:
        adrp x0, .Lslot_\\name
        add x0, x0, :lo12:.Lslot_\\name
        b {absent}
        "
    };
}

global_asm!(
    "
    .pushsection .bss.z3_loader_slots, \"aw\", @nobits
    .balign 8
    .hidden z3_loader_slots
    .globl z3_loader_slots
    z3_loader_slots:
    .popsection

    .macro forward name
    .pushsection .bss.z3_loader_slots
    .Lslot_\\name:
    .zero 8
    .popsection
    .hidden \\name
    .globl \\name
    .type \\name, @function
    \\name:
    ",
    jump!(),
    "
    .size \\name, . - \\name
    .endm

    .pushsection .text.z3_loader, \"ax\", @progbits
    .balign 16
    ",
    include_str!("functions.s"),
    "
    .popsection
    .purgem forward
    ",
    absent = sym absent,
);

unsafe extern "C" {
    /// The addresses of the functions in libz3, in the order of the list; null before it is loaded, and for those that it
    /// does not have.
    #[link_name = "z3_loader_slots"]
    static SLOTS: [AtomicPtr<c_void>; COUNT];
}

/// The slots.
fn slots() -> &'static [AtomicPtr<c_void>; COUNT] {
    // SAFETY: the assembly above reserves a slot of eight aligned bytes for each line of the list. They are zero at first,
    // which is a null pointer, and are only accessed as atomics.
    unsafe { &SLOTS }
}

/// The names of the functions, in the order of the slots.
fn names() -> impl Iterator<Item = &'static str> {
    FORWARDS.lines().filter_map(|line| line.strip_prefix("forward "))
}

/// Sets all slots to the addresses that `address` returns, null for a function that is missing.
///
/// # Safety
///
/// Each address is that of the function of Z3 with this name, and remains so.
pub unsafe fn fill(address: impl Fn(&CString) -> *mut c_void) {
    for (slot, name) in slots().iter().zip(names()) {
        let address = CString::new(name).map_or(ptr::null_mut(), |name| address(&name));
        slot.store(address, Ordering::Release);
    }
}

/// Ends the process: a function is called that libz3 does not have, or before libz3 is loaded.
extern "C" fn absent(slot: *const AtomicPtr<c_void>) -> ! {
    let place = slots().iter().position(|own| ptr::eq(own, slot));
    let name = place.and_then(|k| names().nth(k)).unwrap_or("a function of Z3");
    match LOADED.get() {
        Some(Ok(loaded)) => eprintln!(
            "error: this needs a newer Z3: {}, version {}, has no {name}",
            loaded.file.display(),
            loaded.version
        ),
        Some(Err(why)) => eprintln!("error: {why}"),
        None => eprintln!("internal error: {name} is called before libz3 is loaded"),
    }
    std::process::exit(2)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_name_has_a_slot_of_its_own() {
        let own: BTreeSet<&str> = names().collect();
        assert_eq!((own.len(), names().count()), (COUNT, COUNT));
        assert!(own.iter().all(|name| name.starts_with("Z3_")));
    }
}
