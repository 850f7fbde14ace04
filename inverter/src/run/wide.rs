//! Loops for the widest vectors of the current processor.
//!
//! rustc compiles for all processors of its target. On x86-64, some of these have no instructions that shuffle bytes;
//! without them, scattered samples are gathered one by one, ten times as slowly.

/// Runs `work`, a loop over elements, in code for AVX2 if the processor supports it. Everything that `work` calls has
/// to be inlined, because other code is compiled for any processor.
#[inline(always)]
pub(super) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        #[allow(unsafe_code)]
        return unsafe { with_avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}
