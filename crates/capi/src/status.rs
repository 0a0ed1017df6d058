//! Results of calls, and the text of the last error of each thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call: 0 if it did what was asked, a positive number if there is no answer, a negative one for an error.
/// nt_last_error has the words.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtStatus {
    /// It is done, and all outputs are written.
    NT_OK = 0,
    /// There is no answer: nothing walkable there, no wall within the radius, no such area. Outputs are untouched.
    NT_NOT_FOUND = 1,
    /// The answer is longer than the caller's array: its beginning is written, and the count says how long it is.
    NT_TRUNCATED = 2,
    /// An argument is NULL where it may not be, not finite, out of its range, or no UTF-8.
    NT_ERROR_ARGUMENT = -1,
    /// A handle names nothing: it was freed, or never made, or is one of something else.
    NT_ERROR_HANDLE = -2,
    /// A polygon reference names nothing: its tile was removed or replaced. Find the polygon again.
    NT_ERROR_REFERENCE = -3,
    /// A file cannot be read.
    NT_ERROR_FILE = -4,
    /// Bytes are not what they should be: no tile, no file, damaged, of another version; or a level that cannot be baked.
    NT_ERROR_DATA = -5,
    /// A limit of the library or of the query would be exceeded.
    NT_ERROR_LIMIT = -6,
    /// The caller's function asked to stop.
    NT_ERROR_CANCELLED = -7,
    /// A fault of the library: please report it. The object of the call can only be freed.
    NT_ERROR_INTERNAL = -8,
}

/// Why a call fails.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: NtStatus,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(status: NtStatus, text: impl Display) -> Fault {
        Fault { status, text: text.to_string() }
    }

    pub(crate) fn argument(text: impl Display) -> Fault {
        Fault::new(NtStatus::NT_ERROR_ARGUMENT, text)
    }

    pub(crate) fn data(text: impl Display) -> Fault {
        Fault::new(NtStatus::NT_ERROR_DATA, text)
    }

    pub(crate) fn not_found(text: impl Display) -> Fault {
        Fault::new(NtStatus::NT_NOT_FOUND, text)
    }

    pub(crate) fn null(name: &str) -> Fault {
        Fault::argument(format!("{name} is NULL"))
    }
}

/// The result of a part of a call.
pub(crate) type Answer<T> = Result<T, Fault>;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Does the work of a call. A panic is an error of its own, and goes no further.
pub(crate) fn call(work: impl FnOnce() -> Answer<()>) -> NtStatus {
    let fault = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return NtStatus::NT_OK,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::new(NtStatus::NT_ERROR_INTERNAL, "a fault of the library; please report it"),
    };
    // A text from a file may hold zeros.
    let text = CString::new(fault.text.replace('\0', "\u{fffd}")).unwrap_or_default();
    LAST.set(text);
    fault.status
}

/// The text of the last call of this thread that did not return NT_OK: what was wrong, where, and what to do. UTF-8, never
/// NULL, empty if there was none. Valid until the next such call of the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_last_error() -> *const c_char {
    LAST.with_borrow(|text| text.as_ptr())
}

/// The version of the library, as `0.1.0`. Any thread.
#[unsafe(no_mangle)]
pub extern "C" fn nt_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}
