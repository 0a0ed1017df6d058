//! Pointers from C. The caller promises what the header says of each pointer: it is NULL, or aligned and
//! valid during the call for the number of elements passed with it. All code that relies on this promise is
//! here; everything else is safe.

use crate::status::{Answer, Fault, NtStatus};
use bytemuck::Pod;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

/// Options whose first field is their own size, from the caller's compiler. Later versions of the library add
/// fields at the end.
pub(crate) trait Options: Pod {
    /// The default values.
    fn defaults() -> Self;
}

/// Copies the caller's options over the defaults; NULL for the defaults. A field that the caller's version
/// does not have keeps its default. A field that this version does not have must be 0.
pub(crate) fn sized<T: Options>(given: *const T, name: &str) -> Answer<T> {
    const MOST: usize = 4096;
    let mut value = T::defaults();
    if given.is_null() {
        return Ok(value);
    }
    // SAFETY: by the promise of the caller there is a size, and the number of bytes that it says.
    let bytes = unsafe {
        let size = given.cast::<u32>().read() as usize;
        if !(size_of::<u32>()..=MOST).contains(&size) {
            return Err(Fault::argument(format!(
                "{name}.size is {size}: set it by the _init function, or to the size of the struct"
            )));
        }
        std::slice::from_raw_parts(given.cast::<u8>(), size)
    };
    let known = bytes.len().min(size_of::<T>());
    if bytes[known..].iter().any(|byte| *byte != 0) {
        return Err(Fault::argument(format!(
            "{name} sets a field that this version of the library does not have"
        )));
    }
    bytemuck::bytes_of_mut(&mut value)[..known].copy_from_slice(&bytes[..known]);
    Ok(value)
}

/// The elements of an array; empty if the length is 0, for any pointer.
pub(crate) fn slice<'a, T>(data: *const T, length: usize, name: &str) -> Answer<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Fault::null(name));
    }
    if !data.is_aligned() || length > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::argument(format!("{name} is not an array of {length} elements")));
    }
    // SAFETY: by the promise of the caller.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// A text that ends with a zero byte.
pub(crate) fn text<'a>(text: *const c_char, name: &str) -> Answer<&'a str> {
    if text.is_null() {
        return Err(Fault::null(name));
    }
    // SAFETY: by the promise of the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|error| Fault::argument(format!("{name} is no UTF-8: {error}")))
}

/// A text that ends with a zero byte, or `None` for NULL.
pub(crate) fn optional_text<'a>(given: *const c_char, name: &str) -> Answer<Option<&'a str>> {
    if given.is_null() { Ok(None) } else { text(given, name).map(Some) }
}

/// Checks the output for a handle before the object is made. Without an output, nobody could free it.
pub(crate) fn present<T>(out: Option<&mut MaybeUninit<T>>) -> Answer<&mut MaybeUninit<T>> {
    out.ok_or_else(|| Fault::null("out"))
}

/// Writes an output.
pub(crate) fn write<T>(out: Option<&mut MaybeUninit<T>>, name: &str, value: T) -> Answer<()> {
    let out = out.ok_or_else(|| Fault::null(name))?;
    out.write(value);
    Ok(())
}

/// Writes the elements of a list that fit into the caller's array, and the length of the list to `count`.
pub(crate) fn fill<T>(
    out: *mut T,
    capacity: usize,
    count: Option<&mut MaybeUninit<usize>>,
    values: impl ExactSizeIterator<Item = T>,
) -> Answer<()> {
    let length = values.len();
    write(count, "count", length)?;
    let fits = length.min(capacity);
    if fits > 0 && (out.is_null() || !out.is_aligned()) {
        return Err(Fault::null("the array"));
    }
    for (at, value) in values.take(fits).enumerate() {
        // SAFETY: below the capacity, by the promise of the caller.
        unsafe { out.add(at).write(value) };
    }
    if fits < length {
        let text = format!("the answer has {length} elements, but the array has room for {capacity}");
        return Err(Fault::new(NtStatus::NT_TRUNCATED, text));
    }
    Ok(())
}
