//! Connections that are not counted, without the feature `metrics`.

pub(super) fn describe() {}

pub(super) fn refused() {}

pub(super) struct Counted(());

impl Counted {
    pub(super) fn accepted() -> Self {
        Self(())
    }

    #[expect(clippy::unused_self, reason = "as with metrics")]
    pub(super) fn failed(&self) {}
}
