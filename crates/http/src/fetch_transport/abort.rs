//! Aborts a fetch when its time limit has passed, or its call was dropped.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Function, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortController, AbortSignal};

/// Aborts its fetch when dropped. This does not affect a completed fetch.
pub(super) struct Abort {
    controller: AbortController,
    timer: JsValue,
    is_over: Rc<Cell<bool>>,
    /// The callback of the timer.
    _end: Closure<dyn FnMut()>,
}

impl Abort {
    /// Creates a guard that also aborts after a time.
    pub(super) fn after(time: Duration) -> Result<Self, JsValue> {
        let controller = AbortController::new()?;
        let is_over = Rc::new(Cell::new(false));
        let (aborted, over) = (controller.clone(), Rc::clone(&is_over));
        let end = Closure::<dyn FnMut()>::new(move || {
            over.set(true);
            aborted.abort();
        });
        // A timer of more than 24 days would fire at once.
        let milliseconds = time.as_millis().min(i32::MAX as u128) as f64;
        let timer = call("setTimeout", &[end.as_ref(), &milliseconds.into()])?;
        Ok(Self {
            controller,
            timer,
            is_over,
            _end: end,
        })
    }

    pub(super) fn signal(&self) -> AbortSignal {
        self.controller.signal()
    }

    /// Whether the time limit has passed.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}

impl Drop for Abort {
    fn drop(&mut self) {
        // Neither call can fail.
        let _ = call("clearTimeout", &[&self.timer]);
        self.controller.abort();
    }
}

/// Calls a function of the global scope, which both pages and workers have.
fn call(name: &str, arguments: &[&JsValue]) -> Result<JsValue, JsValue> {
    let global = js_sys::global();
    let function: Function = Reflect::get(&global, &name.into())?.dyn_into()?;
    match arguments {
        [one, two] => function.call2(&global, one, two),
        _ => function.call1(&global, arguments[0]),
    }
}
