//! Loops for the widest vectors of the processor at hand.
//!
//! rustc compiles for all processors of its target. Those of x86-64 need not have instructions that shuffle
//! bytes, without which samples that lie apart are gathered one by one, ten times as slowly.

/// Runs `work`, a loop over elements, in code for AVX2 if the processor has that. All that `work` calls has to be
/// inlined, as code that is not is compiled for any processor.
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
