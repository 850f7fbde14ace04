//! The system calls that a program in a sandbox may not make, as a seccomp filter.
//!
//! Namespaces and Landlock confine access to files and processes. But some ways out remain, above all sockets in the
//! file system, which can be reached even through a read-only mount. A refused call fails with `EPERM`, as if the
//! program lacked the right to it.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule,
};

/// The parts of a program's environment that the rest of a sandbox isolates, or that the program needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Surroundings {
    /// It has its own network namespace.
    pub own_network: bool,
    /// It has its own IPC namespace.
    pub own_ipc: bool,
    /// It has its own mount namespace, in which only its folder can be written.
    pub own_mounts: bool,
    /// It has its own process namespace.
    pub own_processes: bool,
    /// It must connect to sockets: of a display, or its own.
    pub connects: bool,
}

/// On x86-64, the same calls have a second number, with this bit.
const X32: i64 = 0x4000_0000;
/// The bits of a socket's type that are not flags.
const KIND: u64 = 0xf;
/// The families of sockets that a network namespace isolates. Sockets of other families, such as `AF_VSOCK`, reach the
/// host of a virtual machine, or devices, from every namespace.
const FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
/// Calls with which a separate user namespace would give a program in-memory file systems without a limit.
const MOUNTS: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // `open_tree_attr`, which libc does not know yet.
    467,
];
/// Calls that change extended attributes, by paths and by open files.
const ATTRIBUTES: &[i64] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // `setxattrat` and `removexattrat`.
    463,
    466,
    // `file_setattr`
    469,
];
/// Requests of `ioctl` that change attributes of an open file: `FS_IOC_SETFLAGS`, `FS_IOC32_SETFLAGS`,
/// `FS_IOC_SETVERSION`, and `FS_IOC_FSSETXATTR`.
const REQUESTS: [i32; 4] = [0x4008_6602, 0x4004_6602, 0x4008_7602, 0x401c_5820];

/// Builds the filter; `None` on processors for which there is none.
///
/// # Errors
///
/// Returns an error if the filter cannot be compiled.
pub(super) fn build(around: Surroundings) -> io::Result<Option<BpfProgram>> {
    let Ok(arch) = std::env::consts::ARCH.try_into() else { return Ok(None) };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, conditions) in refused(around)? {
        let numbers =
            if cfg!(target_arch = "x86_64") { vec![call, call | X32] } else { vec![call] };
        for number in numbers {
            let rule = rules.entry(number).or_default();
            if !conditions.is_empty() {
                rule.push(SeccompRule::new(conditions.clone()).map_err(io::Error::other)?);
            }
        }
    }
    let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch);
    filter.and_then(TryInto::try_into).map(Some).map_err(io::Error::other)
}

/// A call, and the conditions under which it is refused; without conditions, it is always refused.
type Refused = (i64, Vec<SeccompCondition>);

fn refused(around: Surroundings) -> io::Result<Vec<Refused>> {
    let mut calls = vec![
        // This call connects without `connect`.
        (libc::SYS_io_uring_setup, vec![]),
        // The keys of the session belong to the user.
        (libc::SYS_add_key, vec![]),
        (libc::SYS_keyctl, vec![]),
        (libc::SYS_request_key, vec![]),
        // Memory of such calls is in no statistic of the process.
        (libc::SYS_memfd_secret, vec![]),
        // Objects of System V are memory that belongs to no process.
        (libc::SYS_shmget, vec![]),
        (libc::SYS_msgget, vec![]),
        (libc::SYS_semget, vec![]),
    ];
    // A process that opens a file with a lease has to wait.
    calls.push((libc::SYS_fcntl, vec![is(1, Op::Eq, libc::F_SETLEASE)?]));
    calls.extend(MOUNTS.iter().map(|call| (*call, vec![])));
    if !around.connects {
        calls.push((libc::SYS_connect, vec![]));
    }
    // Unix datagram sockets can send to a path without `connect`; raw sockets behave in the same way.
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            calls.push((
                call,
                vec![is(0, Op::Eq, libc::AF_UNIX)?, is(1, Op::MaskedEq(KIND), kind)?],
            ));
        }
    }
    let families = if around.own_network { &FAMILIES[..] } else { &FAMILIES[..1] };
    let others = families.iter().map(|family| is(0, Op::Ne, *family)).collect::<io::Result<_>>()?;
    calls.push((libc::SYS_socket, others));
    if !around.own_ipc {
        calls.push((libc::SYS_mq_open, vec![]));
    }
    if !around.own_mounts {
        calls.extend(ATTRIBUTES.iter().map(|call| (*call, vec![])));
        for request in REQUESTS {
            calls.push((libc::SYS_ioctl, vec![is(1, Op::Eq, request)?]));
        }
        // The limit on the size of a file does not cover blocks beyond its end.
        let beyond = u64::from(libc::FALLOC_FL_KEEP_SIZE.unsigned_abs());
        calls.push((
            libc::SYS_fallocate,
            vec![is(1, Op::MaskedEq(beyond), libc::FALLOC_FL_KEEP_SIZE)?],
        ));
        // The open files of a process that cannot be traced are hidden from us, and so is the data in them.
        let hidden = vec![is(0, Op::Eq, libc::PR_SET_DUMPABLE)?, is(1, Op::Eq, 0)?];
        calls.push((libc::SYS_prctl, hidden));
    }
    if !around.own_processes {
        // All descendants stay in the group that is killed at the end.
        calls.extend([libc::SYS_setsid, libc::SYS_setpgid].map(|call| (call, vec![])));
        // Calls that change priorities and limits of other processes; 0 refers to the caller.
        for (call, process) in [
            (libc::SYS_setpriority, 1),
            (libc::SYS_ioprio_set, 1),
            (libc::SYS_sched_setaffinity, 0),
            (libc::SYS_sched_setattr, 0),
            (libc::SYS_sched_setparam, 0),
            (libc::SYS_sched_setscheduler, 0),
            (libc::SYS_prlimit64, 0),
        ] {
            calls.push((call, vec![is(process, Op::Ne, 0)?]));
        }
    }
    Ok(calls)
}

fn is(argument: u8, op: Op, value: i32) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, Len::Dword, op, u64::from(value.unsigned_abs()))
        .map_err(io::Error::other)
}

/// The filter as the bytes that the kernel expects: eight for each instruction.
pub(super) fn bytes(program: &BpfProgram) -> Vec<u8> {
    let words = program.iter().map(|i| {
        let [code, k] = [i.code.to_ne_bytes().to_vec(), i.k.to_ne_bytes().to_vec()];
        [code, vec![i.jt, i.jf], k].concat()
    });
    words.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_compiles() {
        for bits in 0..32 {
            let [own_network, own_ipc, own_mounts, own_processes, connects] =
                [1, 2, 4, 8, 16].map(|b| bits & b != 0);
            let around = Surroundings { own_network, own_ipc, own_mounts, own_processes, connects };
            let filter = build(around).unwrap();
            assert!(filter.is_none_or(|f| !f.is_empty() && bytes(&f).len() == 8 * f.len()));
        }
    }
}
