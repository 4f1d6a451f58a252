//! `Send` on platforms with threads.

use std::pin::Pin;

/// [`Send`]; on wasm32-unknown-unknown, every type, because a page has one thread and the browser's
/// futures are not `Send`.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub trait MaybeSend: Send {}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<T: Send + ?Sized> MaybeSend for T {}

/// `Send`; but on wasm32-unknown-unknown, every type, because a page has one thread and the
/// browser's futures are not `Send`.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub trait MaybeSend {}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl<T: ?Sized> MaybeSend for T {}

/// [`Sync`]; on wasm32-unknown-unknown, every type.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub trait MaybeSync: Sync {}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl<T: Sync + ?Sized> MaybeSync for T {}

/// `Sync`; but on wasm32-unknown-unknown, every type.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub trait MaybeSync {}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl<T: ?Sized> MaybeSync for T {}

/// A future of a transport.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) type BoxFuture<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

/// A future of a transport.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) type BoxFuture<'f, T> = Pin<Box<dyn Future<Output = T> + 'f>>;
