//! Sorts a WebAssembly module's functions by name, so that the copies of a generic function for several types
//! are next to each other. gzip looks back 32 kB, and linkers leave such copies megabytes apart. Nothing else
//! in the module changes.

use crate::Error;
use std::convert::Infallible;
use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Name, Parser,
    Payload, TypeRef,
};

/// Returns the module with its functions sorted by name, and without the names.
pub(crate) fn sorted_by_name(module: &[u8]) -> Result<Vec<u8>, Error> {
    let Functions { imported, names, sizes } = Functions::of(module)?;
    let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
    let key = |&function: &u32| {
        let name = names.get((imported + function) as usize).map_or("", |name| stem(name));
        (name, sizes[function as usize], function)
    };
    order.sort_by_key(key);
    let mut places = vec![0; order.len()];
    for (place, &function) in (0u32..).zip(&order) {
        places[function as usize] = place;
    }
    let mut sorted = Module::new();
    Sorted { imported, order, places }.parse_core_module(&mut sorted, Parser::new(0), module)?;
    Ok(sorted.finish())
}

/// A name without the hash that the compiler appends.
fn stem(name: &str) -> &str {
    name.rsplit_once("::h").map_or(name, |(stem, _)| stem)
}

/// The functions of a module: the number of imports, the names of all, and the size of each of its own,
/// bytes.
struct Functions<'a> {
    imported: u32,
    names: Vec<&'a str>,
    sizes: Vec<usize>,
}

impl<'a> Functions<'a> {
    fn of(module: &'a [u8]) -> Result<Functions<'a>, Error> {
        let mut functions = Functions { imported: 0, names: Vec::new(), sizes: Vec::new() };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        functions.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => functions.sizes.push(body.as_bytes().len()),
                Payload::CustomSection(section) => functions.add_names(&section)?,
                _ => {}
            }
        }
        if functions.names.is_empty() {
            return Err("the module has no names of functions to sort by".into());
        }
        Ok(functions)
    }

    fn add_names(&mut self, section: &CustomSectionReader<'a>) -> Result<(), Error> {
        let KnownCustom::Name(subsections) = section.as_known() else { return Ok(()) };
        for subsection in subsections {
            let Name::Function(names) = subsection? else { continue };
            for naming in names {
                let naming = naming?;
                let place = naming.index as usize;
                self.names.resize(self.names.len().max(place + 1), "");
                self.names[place] = naming.name;
            }
        }
        Ok(())
    }
}

/// Writes a module with its own functions in another order.
struct Sorted {
    imported: u32,
    /// The function of each place.
    order: Vec<u32>,
    /// The place of each function.
    places: Vec<u32>,
}

type Reencoded<T> = Result<T, reencode::Error<Infallible>>;

impl Reencode for Sorted {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        let own = function.checked_sub(self.imported);
        Ok(own.map_or(function, |own| self.imported + self.places[own as usize]))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Reencoded<()> {
        let types: Vec<u32> = section.into_iter().collect::<Result<_, _>>()?;
        for &function in &self.order {
            functions.function(types[function as usize]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        let bodies: Vec<FunctionBody<'_>> = section.into_iter().collect::<Result<_, _>>()?;
        for function in self.order.clone() {
            self.parse_function_body(code, bodies[function as usize].clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Reencoded<()> {
        if !matches!(section.as_known(), KnownCustom::Name(_)) {
            module.section(&self.custom_section(section)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        ExportKind, ExportSection, Function, ImportSection, NameMap, NameSection, TypeSection, ValType,
    };

    /// A module whose functions call each other: `b` answers 2, `a` calls `b`, and `a` is exported; one is
    /// imported.
    fn module() -> Vec<u8> {
        let mut module = Module::new();
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("host", "given", wasm_encoder::EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0).function(0);
        let mut exports = ExportSection::new();
        exports.export("a", ExportKind::Func, 2);
        let mut code = CodeSection::new();
        let mut b = Function::new([]);
        b.instructions().i32_const(2).end();
        let mut a = Function::new([]);
        a.instructions().call(1).end();
        code.function(&b).function(&a);
        let mut names = NameMap::new();
        for (index, name) in [(0, "given"), (1, "b::h0123456789abcdef"), (2, "a::hfedcba9876543210")] {
            names.append(index, name);
        }
        let mut section = NameSection::new();
        section.functions(&names);
        module.section(&types).section(&imports).section(&functions).section(&exports).section(&code);
        module.section(&section);
        module.finish()
    }

    #[test]
    fn functions_are_sorted_and_everything_still_calls_the_same() {
        let sorted = sorted_by_name(&module()).unwrap();
        wasmparser::validate(&sorted).unwrap();
        let (mut exported, mut bodies) = (None, Vec::new());
        for payload in Parser::new(0).parse_all(&sorted) {
            match payload.unwrap() {
                Payload::ExportSection(exports) => {
                    exported = exports.into_iter().next().map(|e| e.unwrap().index)
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes().to_vec()),
                Payload::CustomSection(section) => panic!("{} is left", section.name()),
                _ => {}
            }
        }
        // `a` comes first, after the import, and calls the function after it.
        assert_eq!(exported, Some(1));
        assert_eq!(bodies, [[0, 0x10, 2, 0x0b], [0, 0x41, 2, 0x0b]]);
    }

    #[test]
    fn a_module_without_names_is_refused() {
        let stripped = sorted_by_name(&module()).unwrap();
        assert!(sorted_by_name(&stripped).unwrap_err().to_string().contains("no names"));
        assert!(sorted_by_name(b"\0asm what").is_err());
    }
}
