//! Results of calls, and the text of the last error of each thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call: 0 if it succeeded, a positive number if there is no answer, a negative number for an
/// error. nt_last_error has the error message.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NtStatus {
    /// Success; all outputs are written.
    NT_OK = 0,
    /// There is no answer: nothing walkable there, no wall within the radius, no such area. Outputs are
    /// untouched.
    NT_NOT_FOUND = 1,
    /// The answer is longer than the caller's array. The array holds its beginning, and the count is the
    /// whole length.
    NT_TRUNCATED = 2,
    /// An argument is NULL but must not be, is not finite, is out of its range, or is not valid UTF-8.
    NT_ERROR_ARGUMENT = -1,
    /// A handle is invalid: its object was freed or never made, or is of another kind.
    NT_ERROR_HANDLE = -2,
    /// A polygon reference is stale: its tile was removed or replaced. Find the polygon again.
    NT_ERROR_REFERENCE = -3,
    /// A file cannot be read.
    NT_ERROR_FILE = -4,
    /// Bytes are invalid: they are not a tile or a file, are damaged, or have another version; or a level
    /// cannot be baked.
    NT_ERROR_DATA = -5,
    /// A limit of the library or of the query would be exceeded.
    NT_ERROR_LIMIT = -6,
    /// The caller's function asked to stop.
    NT_ERROR_CANCELLED = -7,
    /// A bug in the library: please report it. The object of the call can only be freed.
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

/// Does the work of a call. A panic becomes an error, and does not leave the call.
pub(crate) fn call(work: impl FnOnce() -> Answer<()>) -> NtStatus {
    let fault = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return NtStatus::NT_OK,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::new(NtStatus::NT_ERROR_INTERNAL, "a fault of the library; please report it"),
    };
    // A text from a file may contain zero bytes.
    let text = CString::new(fault.text.replace('\0', "\u{fffd}")).unwrap_or_default();
    LAST.set(text);
    fault.status
}

/// The error message of this thread's last call that did not return NT_OK: the problem, its place, and the
/// remedy. UTF-8, never NULL, empty before the first such call. Valid until the next such call of the same
/// thread.
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
