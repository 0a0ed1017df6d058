//! The C interface for C#: structs, enums, constants and P/Invoke declarations, made from the sources that
//! the C header is made from.

use crate::Error;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use syn::{
    Attribute, Expr, Fields, FnArg, GenericArgument, Item, ItemEnum, ItemFn, ItemStruct, ItemType, Lit, Meta,
    Pat, PathArguments, ReturnType, Type,
};

const HEAD: &str = "\
// The C interface of navtile, as it is: see include/navtile.h for the rules of every call, and
// Navtile.cs for the classes on top of it.
//
// Made from crates/capi by cargo xtask capi; do not edit.

using System;
using System.Runtime.InteropServices;

namespace Navtile
{
";

/// The items of the interface, in the order of the header's kinds, each with its C# text.
#[derive(Default)]
struct Interface {
    /// Names of C that stand for a number, and that number's C#.
    aliases: BTreeMap<String, String>,
    enums: BTreeMap<String, String>,
    structs: BTreeMap<String, String>,
    delegates: BTreeMap<String, String>,
    constants: Vec<String>,
    functions: BTreeMap<String, String>,
}

/// The C# file of a crate's sources.
pub(crate) fn generate(sources: &Path) -> Result<String, Error> {
    let mut files: Vec<_> =
        fs::read_dir(sources)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Error>>()?;
    files.sort();
    let parsed: Vec<syn::File> = files
        .iter()
        .map(|path| Ok(syn::parse_file(&fs::read_to_string(path)?)?))
        .collect::<Result<_, Error>>()?;
    let items = || parsed.iter().flat_map(|file| &file.items);
    let mut made = Interface::default();
    for item in items() {
        if let Item::Type(item) = item {
            made.alias(item)?;
        }
    }
    for item in items() {
        made.item(item)?;
    }
    Ok(made.text())
}

/// Calls among the declarations that the classes for C# do not make.
pub(crate) fn unused<'a>(declarations: &'a str, classes: &str) -> Vec<&'a str> {
    let names = declarations.lines().filter_map(|line| {
        let (head, _) = line.split_once('(')?;
        head.contains(" extern ").then(|| head.rsplit(' ').next()).flatten()
    });
    names.filter(|name| !classes.contains(&format!("Native.{name}("))).collect()
}

impl Interface {
    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for item in self.enums.values().chain(self.structs.values()).chain(self.delegates.values()) {
            let _ = writeln!(text, "{}", indented(item, 1));
        }
        text.push_str(
            "    public static unsafe class Native\n    {\n        const string Library = \"navtile_c\";\n\n",
        );
        for item in self.constants.iter().chain(self.functions.values()) {
            let _ = writeln!(text, "{}", indented(item, 2));
        }
        text.truncate(text.trim_end().len());
        text.push_str("\n    }\n}\n");
        text
    }

    /// Numbers under a name of their own, and callbacks.
    fn alias(&mut self, item: &ItemType) -> Result<(), Error> {
        let name = item.ident.to_string();
        let Some(name) = name.strip_prefix("Nt").map(|_| name.clone()) else { return Ok(()) };
        if let Some(Type::BareFn(function)) = inner(&item.ty, "Option") {
            let mut arguments = Vec::new();
            for argument in &function.inputs {
                let label = argument.name.as_ref().map_or("value".to_owned(), |(name, _)| name.to_string());
                arguments.push(format!("{} {label}", self.of(&argument.ty)?));
            }
            let text = format!(
                "{}[UnmanagedFunctionPointer(CallingConvention.Cdecl)]\npublic unsafe delegate {} {name}({});\n",
                docs(&item.attrs),
                self.returned(&function.output)?,
                arguments.join(", ")
            );
            self.delegates.insert(name, text);
        } else {
            let number = self.of(&item.ty)?;
            self.aliases.insert(name, number);
        }
        Ok(())
    }

    fn item(&mut self, item: &Item) -> Result<(), Error> {
        match item {
            Item::Enum(item) if item.ident.to_string().starts_with("Nt") => self.enumeration(item),
            Item::Struct(item) if item.ident.to_string().starts_with("Nt") => self.structure(item),
            Item::Const(item) if item.ident.to_string().starts_with("NT_") => {
                let (kind, value) = (self.of(&item.ty)?, number(&item.expr)?);
                self.constants.push(format!(
                    "{}public const {kind} {} = {value};",
                    docs(&item.attrs),
                    item.ident
                ));
                Ok(())
            }
            Item::Fn(item) if item.sig.abi.is_some() => self.function(item),
            _ => Ok(()),
        }
    }

    fn enumeration(&mut self, item: &ItemEnum) -> Result<(), Error> {
        let repr = item.attrs.iter().find(|attribute| attribute.path().is_ident("repr"));
        let repr: syn::Ident = repr.ok_or("an enum without repr")?.parse_args()?;
        let mut text =
            format!("{}public enum {} : {}\n{{\n", docs(&item.attrs), item.ident, plain(&repr.to_string())?);
        for variant in &item.variants {
            let (_, value) = variant.discriminant.as_ref().ok_or("a variant without a number")?;
            let line = format!("{}{} = {},", docs(&variant.attrs), variant.ident, number(value)?);
            let _ = writeln!(text, "{}", indented(&line, 1).trim_end());
        }
        text.push_str("}\n");
        self.enums.insert(item.ident.to_string(), text);
        Ok(())
    }

    fn structure(&mut self, item: &ItemStruct) -> Result<(), Error> {
        let Fields::Named(fields) = &item.fields else { return Err("a struct without names".into()) };
        let mut lines = String::new();
        let mut is_unsafe = false;
        for field in &fields.named {
            let name = field.ident.as_ref().ok_or("a field without a name")?;
            let kind = self.field(&field.ty, &name.to_string())?;
            is_unsafe |= kind.contains("fixed") || kind.contains('*');
            let line = format!("{}public {kind};", docs(&field.attrs));
            let _ = writeln!(lines, "{}", indented(&line, 1).trim_end());
        }
        let text = format!(
            "{}[StructLayout(LayoutKind.Sequential)]\npublic {}partial struct {}\n{{\n{lines}}}\n",
            docs(&item.attrs),
            if is_unsafe { "unsafe " } else { "" },
            item.ident
        );
        self.structs.insert(item.ident.to_string(), text);
        Ok(())
    }

    /// The type and the name of a field. An array, also one of arrays, becomes an array of fixed length.
    fn field(&self, kind: &Type, name: &str) -> Result<String, Error> {
        let (mut kind, mut length, mut is_array) = (kind, 1, false);
        while let Type::Array(array) = kind {
            length *= number(&array.len)?.parse::<usize>()?;
            (kind, is_array) = (&array.elem, true);
        }
        let element = self.of(kind)?;
        Ok(if is_array { format!("fixed {element} {name}[{length}]") } else { format!("{element} {name}") })
    }

    fn function(&mut self, item: &ItemFn) -> Result<(), Error> {
        let mut arguments = Vec::new();
        for argument in &item.sig.inputs {
            let FnArg::Typed(argument) = argument else { return Err("a call with self".into()) };
            let Pat::Ident(name) = &*argument.pat else { return Err("an argument without a name".into()) };
            arguments.push(format!("{} {}", self.of(&argument.ty)?, escaped(&name.ident.to_string())));
        }
        let name = item.sig.ident.to_string();
        let text = format!(
            "{}[DllImport(Library, CallingConvention = CallingConvention.Cdecl)]\npublic static extern {} {name}({});\n",
            docs(&item.attrs),
            self.returned(&item.sig.output)?,
            arguments.join(", ")
        );
        self.functions.insert(name, text);
        Ok(())
    }

    fn returned(&self, output: &ReturnType) -> Result<String, Error> {
        match output {
            ReturnType::Default => Ok("void".to_owned()),
            ReturnType::Type(_, kind) => self.of(kind),
        }
    }

    /// The C# of a type. A reference becomes a pointer, and a wrapper of Rust becomes the type inside it.
    fn of(&self, kind: &Type) -> Result<String, Error> {
        if let Type::Ptr(pointer) = kind {
            return Ok(format!("{}*", self.of(&pointer.elem)?));
        }
        if let Type::Reference(reference) = kind {
            return Ok(format!("{}*", self.of(&reference.elem)?));
        }
        for wrapper in ["Option", "MaybeUninit"] {
            if let Some(kind) = inner(kind, wrapper) {
                return self.of(kind);
            }
        }
        let Type::Path(path) = kind else { return Err("a type that C has not".into()) };
        let name = path.path.segments.last().ok_or("a type without a name")?.ident.to_string();
        match self.aliases.get(&name) {
            Some(number) => Ok(number.clone()),
            None if name.starts_with("Nt") => Ok(name),
            None => Ok(plain(&name)?.to_owned()),
        }
    }
}

/// The type within a wrapper of this name.
fn inner<'a>(kind: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let Type::Path(path) = kind else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == wrapper)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(kind) => Some(kind),
        _ => None,
    })
}

fn plain(name: &str) -> Result<&'static str, Error> {
    Ok(match name {
        "u8" | "c_char" => "byte",
        "u16" => "ushort",
        "i32" => "int",
        "i64" => "long",
        "u32" => "uint",
        "u64" => "ulong",
        "usize" => "UIntPtr",
        "f32" => "float",
        "f64" => "double",
        "c_void" => "void",
        other => return Err(format!("the type {other} has no C#").into()),
    })
}

/// Escapes names that are keywords of C#.
fn escaped(name: &str) -> String {
    if ["out", "params", "in", "ref", "fixed", "event"].contains(&name) {
        format!("@{name}")
    } else {
        name.to_owned()
    }
}

fn number(value: &Expr) -> Result<String, Error> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Ok(number.base10_digits().to_owned()),
            _ => Err("a number that is none".into()),
        },
        Expr::Unary(unary) => Ok(format!("-{}", number(&unary.expr)?)),
        _ => Err("a number that is worked out".into()),
    }
}

/// The doc comments of an item, as comments of C#.
fn docs(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(literal) = &pair.value
            && let Lit::Str(line) = &literal.lit
        {
            let _ = writeln!(text, "//{}", line.value());
        }
    }
    text
}

fn indented(text: &str, depth: usize) -> String {
    let line = |line: &str| {
        if line.is_empty() { "\n".to_owned() } else { format!("{}{line}\n", "    ".repeat(depth)) }
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_no_class_makes_are_found() {
        let declarations =
            "public static extern NtStatus nt_a(byte* x);\npublic static extern void nt_b();\n";
        assert_eq!(unused(declarations, "Check(Native.nt_a(x));"), ["nt_b"]);
    }

    #[test]
    fn types_of_rust_become_types_of_csharp() {
        let mut made = Interface::default();
        made.aliases.insert("NtAgent".to_owned(), "ulong".to_owned());
        let of = |text: &str| made.of(&syn::parse_str(text).unwrap()).unwrap();
        assert_eq!(of("*const c_char"), "byte*");
        assert_eq!(of("Option<&mut MaybeUninit<*const u8>>"), "byte**");
        assert_eq!(of("*mut NtAgent"), "ulong*");
        assert_eq!(of("Option<&NtVec3>"), "NtVec3*");
        assert_eq!(of("usize"), "UIntPtr");
        let field = made.field(&syn::parse_str("[[f64; 4]; 3]").unwrap(), "rows").unwrap();
        assert_eq!(field, "fixed double rows[12]");
        assert!(made.of(&syn::parse_str("(u8, u8)").unwrap()).is_err());
    }
}
