//! The slot in which the innermost service of the layers and the frame of a call meet.
//!
//! Layers own the request that they pass on, as tower requires, but a call borrows from its body.
//! So the innermost service leaves the head of the request here, and the frame, which owns the
//! body, runs the call and leaves the answer.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use super::call_response::CallResponse;
use super::surroundings::{Surroundings, Within};
use crate::heads::Heads;

pub(super) struct Slot(Mutex<State>);

struct State {
    stage: Stage,
    /// Wakes the frame, because layers may run in another task.
    frame: Option<Waker>,
    /// Wakes the future of the innermost service.
    caller: Option<Waker>,
}

enum Stage {
    /// The innermost service has not been called yet.
    Open,
    Called(Arc<Heads>, Option<Box<dyn Within>>),
    Running,
    Answered(CallResponse),
    /// The future of the innermost service was dropped.
    Left,
}

/// The next action of the frame.
pub(super) enum Turn {
    /// Nothing to do.
    None,
    /// Run the call.
    Run(Arc<Heads>, Option<Box<dyn Within>>),
    /// Cancel the call.
    Cancel,
}

impl Slot {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(State {
            stage: Stage::Open,
            frame: None,
            caller: None,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the innermost service has not been called yet.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state().stage, Stage::Open)
    }

    /// Asks the frame to run the call, once the future is polled.
    pub(super) fn call(self: Arc<Self>, heads: Arc<Heads>) -> Handled {
        Handled {
            slot: self,
            heads: Some(heads),
        }
    }

    fn change(&self, stage: Stage) {
        let mut state = self.state();
        if matches!(state.stage, Stage::Left) {
            return;
        }
        let before = std::mem::replace(&mut state.stage, stage);
        let frame = state.frame.take();
        drop(state);
        drop(before);
        if let Some(frame) = frame {
            frame.wake();
        }
    }

    /// Returns the next action of the frame, and registers its waker for further ones.
    pub(super) fn turn(&self, context: &Context<'_>) -> Turn {
        let mut state = self.state();
        match &mut state.frame {
            Some(frame) => frame.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        match std::mem::replace(&mut state.stage, Stage::Running) {
            Stage::Called(heads, within) => Turn::Run(heads, within),
            Stage::Left => {
                state.stage = Stage::Left;
                Turn::Cancel
            }
            other => {
                state.stage = other;
                Turn::None
            }
        }
    }

    /// Passes the answer to the innermost service, if the service still waits for it.
    pub(super) fn answer(&self, answer: CallResponse) {
        let mut state = self.state();
        if matches!(state.stage, Stage::Left) {
            return;
        }
        state.stage = Stage::Answered(answer);
        let caller = state.caller.take();
        drop(state);
        if let Some(caller) = caller {
            caller.wake();
        }
    }
}

/// The future of the innermost service. The call is cancelled if it is dropped.
pub(super) struct Handled {
    slot: Arc<Slot>,
    /// Kept until the future is first polled: only then is it in the spans of layers.
    heads: Option<Arc<Heads>>,
}

impl Future for Handled {
    type Output = CallResponse;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<CallResponse> {
        if let Some(heads) = self.heads.take() {
            let extensions = &heads.parts.extensions;
            let surroundings = extensions.get::<Surroundings>();
            let within = surroundings.map(|surroundings| (surroundings.current)());
            self.slot.change(Stage::Called(heads, within));
        }
        let mut state = self.slot.state();
        match std::mem::replace(&mut state.stage, Stage::Left) {
            Stage::Answered(answer) => Poll::Ready(answer),
            other => {
                state.stage = other;
                state.caller = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Handled {
    fn drop(&mut self) {
        // A future that was never polled has called nothing.
        if self.heads.is_none() {
            self.slot.change(Stage::Left);
        }
    }
}
