//! Weaves all mutants of a file into its text, each behind a switch. The crate is built once, and a run
//! selects one of them.
//!
//! ```text
//!     a + b        (match (a, b) { (l, r) => if on(7) { l - r } else if on(8) { l * r } else { l + r } })
//!     a && b       ({ let k = on(9); ((a ^ k) && (b ^ k)) ^ k })
//!     { body }     { if on(10) { return Ok(()); } body }
//! ```
//!
//! Each operand occurs once in the woven text, so that the text grows in proportion to the number of mutants.
//! Comments around each place name its mutants, so that a mutant that the compiler refuses can be left out.
//! Source: mutant schemata, R. Untch, A. Offutt and M. Harrold (1993).

use super::list::{Genre, Mutant, Position};
use crate::Error;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// The path of the switch within a crate.
const ON: &str = "crate::mutant_switch::on";

/// A place with mutants.
struct Node<'a> {
    range: Range<usize>,
    mutants: Vec<&'a Mutant>,
    kind: Kind,
}

enum Kind {
    /// The statements of a function.
    Body,
    /// Operands of an operator that evaluates both.
    Binary { left: Range<usize>, right: Range<usize>, operator: String, by_reference: bool },
    /// Operands of `&&` or `||`.
    Lazy { left: Range<usize>, right: Range<usize>, operator: String },
    /// Operands of an operator that assigns.
    Assign { left: Range<usize>, right: Range<usize>, operator: String },
    /// The operand of `!` or `-`.
    Unary { operand: Range<usize>, operator: String },
    /// A match with the mutants of its arms: a missing arm is an error of the whole match.
    Match,
    /// The text between the pattern and the arrow of an arm, and the guard in it.
    Arm { guard: Option<Range<usize>> },
    /// A guard.
    Guard,
    /// A field's value in an expression with a base.
    Field { name: String, is_short: bool, path: String, base: Range<usize> },
}

/// The text of a file with the mutants woven in, except those in places where they would not compile.
pub(super) fn weave(source: &str, mutants: &[&Mutant]) -> Result<String, Error> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { places: HashMap::new(), lines: line_starts(source), source, nodes: Vec::new() };
    for &mutant in mutants {
        finder.places.entry((mutant.genre, mutant.span.start)).or_default().push(mutant);
    }
    finder.visit_file(&file);
    let mut nodes = finder.nodes;
    nodes.sort_by_key(|node| (node.range.start, std::cmp::Reverse(node.range.end)));
    Ok(Writer { source, nodes }.text(0..source.len(), None))
}

fn line_starts(source: &str) -> Vec<usize> {
    std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// Finds the places of mutants in a syntax tree.
struct Finder<'a> {
    places: HashMap<(Genre, Position), Vec<&'a Mutant>>,
    lines: Vec<usize>,
    source: &'a str,
    nodes: Vec<Node<'a>>,
}

impl<'a> Finder<'a> {
    fn offset(&self, at: proc_macro2::LineColumn) -> usize {
        let start = self.lines[at.line - 1];
        let line = &self.source[start..];
        start + line.char_indices().nth(at.column).map_or(line.len(), |(offset, _)| offset)
    }

    fn range(&self, of: &impl Spanned) -> Range<usize> {
        let span = of.span();
        self.offset(span.start())..self.offset(span.end())
    }

    fn text(&self, of: &impl Spanned) -> String {
        self.source[self.range(of)].to_owned()
    }

    /// The mutants of a genre that start where `of` starts.
    fn take(&mut self, genre: Genre, of: &impl Spanned) -> Option<Vec<&'a Mutant>> {
        self.places.remove(&place(genre, of))
    }

    fn add(&mut self, range: Range<usize>, mutants: Vec<&'a Mutant>, kind: Kind) {
        self.nodes.push(Node { range, mutants, kind });
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        // Code that the compiler evaluates cannot be switched.
        if signature.constness.is_some() {
            return;
        }
        // An opaque type is a single type, and its mutants have another one.
        let is_opaque = self.text(&signature.output).contains("impl ");
        if !is_opaque
            && let [first, .., last] | [first @ last] = &block.stmts[..]
            && let Some(mutants) = self.take(Genre::FnValue, first)
        {
            let range = self.range(first).start..self.range(last).end;
            self.add(range, mutants, Kind::Body);
        }
        visit::visit_block(self, block);
    }

    fn binary(&mut self, expression: &syn::ExprBinary) {
        let Some(mutants) = self.take(Genre::BinaryOperator, &expression.op) else { return };
        let (left, right) = (self.range(&*expression.left), self.range(&*expression.right));
        let operator = self.text(&expression.op);
        let kind = match expression.op {
            BinOp::And(_) | BinOp::Or(_) if has_let(&expression.left) || has_let(&expression.right) => return,
            BinOp::And(_) | BinOp::Or(_) => Kind::Lazy { left, right, operator },
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                Kind::Binary { left, right, operator, by_reference: true }
            }
            _ if operator.ends_with('=') => Kind::Assign { left, right, operator },
            _ => Kind::Binary { left, right, operator, by_reference: false },
        };
        self.add(self.range(expression), mutants, kind);
    }

    fn fields(&mut self, expression: &syn::ExprStruct) {
        let Some(base) = &expression.rest else { return };
        for field in &expression.fields {
            if let Some(mutants) = self.take(Genre::StructField, field) {
                let kind = Kind::Field {
                    name: self.text(&field.member),
                    is_short: field.colon_token.is_none(),
                    path: self.text(&expression.path),
                    base: self.range(&**base),
                };
                self.add(self.range(&field.expr), mutants, kind);
            }
        }
    }
}

/// A genre, and the start of `of`.
fn place(genre: Genre, of: &impl Spanned) -> (Genre, Position) {
    let start = of.span().start();
    (genre, Position { line: start.line, column: start.column + 1 })
}

/// Returns true if an expression is a chain with a `let`.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_expr_binary(&mut self, expression: &'ast syn::ExprBinary) {
        self.binary(expression);
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'ast syn::ExprUnary) {
        if let Some(mutants) = self.take(Genre::UnaryOperator, expression) {
            let operand = self.range(&*expression.expr);
            let operator = self.text(&expression.op);
            self.add(self.range(expression), mutants, Kind::Unary { operand, operator });
        }
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        let arms = expression.arms.iter().filter_map(|arm| self.places.get(&place(Genre::MatchArm, arm)));
        let mutants: Vec<_> = arms.flatten().copied().collect();
        if !mutants.is_empty() {
            self.add(self.range(expression), mutants, Kind::Match);
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let guard = arm.guard.as_ref().map(|(_, guard)| &**guard);
        if guard.is_none_or(|guard| !has_let(guard)) {
            if let Some(mutants) = self.take(Genre::MatchArm, arm) {
                let range = self.range(&arm.pat).end..self.range(&arm.fat_arrow_token).start;
                let guard = guard.map(|guard| self.range(guard));
                self.add(range, mutants, Kind::Arm { guard });
            }
            if let Some(guard) = guard
                && let Some(mutants) = self.take(Genre::MatchArmGuard, guard)
            {
                self.add(self.range(guard), mutants, Kind::Guard);
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expression: &'ast syn::ExprStruct) {
        self.fields(expression);
        visit::visit_expr_struct(self, expression);
    }

    // Code that the compiler evaluates.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_expr_repeat(&mut self, expression: &'ast syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
    }
}

/// Writes the new text of a file.
struct Writer<'a> {
    source: &'a str,
    nodes: Vec<Node<'a>>,
}

impl Writer<'_> {
    /// The text of a range, with the mutants of the nodes in it. Leaves out node `but`, which may fill the
    /// whole range.
    fn text(&self, range: Range<usize>, but: Option<usize>) -> String {
        let (mut text, mut at) = (String::new(), range.start);
        for (index, node) in self.nodes.iter().enumerate() {
            // A node inside another node was written with it.
            if node.range.start >= at && node.range.end <= range.end && but.is_none_or(|but| index > but) {
                text += &self.source[at..node.range.start];
                text += &self.node(index);
                at = node.range.end;
            }
        }
        text + &self.source[at..range.end]
    }

    fn node(&self, index: usize) -> String {
        let node = &self.nodes[index];
        let part = |range: &Range<usize>| self.text(range.clone(), Some(index));
        let branches = |branch: &dyn Fn(&str) -> String| -> String {
            let choices = node.mutants.iter().map(|mutant| {
                let choice =
                    format!("if {ON}({}) {{ {} }} else ", mutant.id, branch(mutant.replacement.trim()));
                marked(&[mutant.id], &choice)
            });
            choices.collect()
        };
        let first = node.mutants[0].id;
        let text = match &node.kind {
            Kind::Body => {
                let returns = node.mutants.iter().map(|mutant| {
                    let choice = format!("if {ON}({}) {{ return {}; }} ", mutant.id, mutant.replacement);
                    marked(&[mutant.id], &choice)
                });
                return returns.collect::<String>() + &part(&node.range);
            }
            Kind::Binary { left, right, operator, by_reference } => {
                let [reference, value] = if *by_reference { ["&", "*"] } else { ["", ""] };
                let with = |operator: &str| format!("{value}l_ {operator} {value}r_");
                format!(
                    "(match ({reference}({}), {reference}({})) {{ (l_, r_) => {}{{ {} }} }})",
                    part(left),
                    part(right),
                    branches(&with),
                    with(operator)
                )
            }
            Kind::Lazy { left, right, operator } => format!(
                "({{ let k_ = {ON}({first}); ((({}) ^ k_) {operator} (({}) ^ k_)) ^ k_ }})",
                part(left),
                part(right)
            ),
            Kind::Assign { left, right, operator } => {
                let with = |operator: &str| format!("{} {operator} r_", part(left));
                format!("(match {} {{ r_ => {}{{ {} }} }})", part(right), branches(&with), with(operator))
            }
            Kind::Unary { operand, operator } => format!(
                "(match {} {{ v_ => {}{{ {operator}v_ }} }})",
                part(operand),
                branches(&|_| "v_".into())
            ),
            Kind::Match => part(&node.range),
            Kind::Arm { guard } => match guard {
                Some(guard) => format!(" if !{ON}({first}) && ({}) ", part(guard)),
                None => format!(" if !{ON}({first}) "),
            },
            Kind::Guard => format!("({}{{ {} }})", branches(&|value| value.into()), part(&node.range)),
            Kind::Field { name, is_short, path, base } => {
                let name_before = if *is_short { format!("{name}: ") } else { String::new() };
                let base = &self.source[base.clone()];
                format!(
                    "{name_before}(if {ON}({first}) {{ let b_: {path} = {base}; b_.{name} }} else {{ {} }})",
                    part(&node.range)
                )
            }
        };
        let all: Vec<u32> = node.mutants.iter().map(|mutant| mutant.id).collect();
        marked(&all, &text)
    }
}

/// Text between comments that name its mutants.
fn marked(mutants: &[u32], text: &str) -> String {
    let names: Vec<String> = mutants.iter().map(u32::to_string).collect();
    let names = names.join(",");
    format!("/*<{names}*/{text}/*{names}>*/")
}

/// The mutants of the smallest marked part around a place in a woven text.
pub(super) fn mutants_around(text: &str, place: Range<usize>) -> Vec<u32> {
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut best: Option<(usize, &str)> = None;
    for (at, _) in text.match_indices("/*") {
        let rest = &text[at + 2..];
        let Some(end) = rest.find("*/") else { break };
        let comment = &rest[..end];
        if let Some(names) = comment.strip_prefix('<') {
            open.push((names, at));
        } else if let Some(names) = comment.strip_suffix('>')
            && open.last().is_some_and(|(last, _)| *last == names)
            && let Some((_, start)) = open.pop()
        {
            let size = at - start;
            let is_around = start <= place.start && place.end <= at;
            if is_around && best.is_none_or(|(smallest, _)| size < smallest) {
                best = Some((size, names));
            }
        }
    }
    let names = best.map_or("", |(_, names)| names);
    names.split(',').filter_map(|name| name.parse().ok()).collect()
}

/// The switch, which is appended to a crate's root.
pub(super) fn switch(count: usize) -> String {
    include_str!("switch.txt").replace("COUNT", &count.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::list::Span;

    fn mutant(id: u32, genre: Genre, at: [usize; 2], replacement: &str) -> Mutant {
        let start = Position { line: at[0], column: at[1] };
        let (file, name) = ("lib.rs".into(), String::new());
        Mutant { id, file, name, genre, span: Span { start }, replacement: replacement.into() }
    }

    fn woven(source: &str, mutants: &[Mutant]) -> String {
        let text = weave(source, &mutants.iter().collect::<Vec<_>>()).unwrap();
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once("/*") {
            plain += before;
            rest = after.split_once("*/").unwrap().1;
        }
        (plain + rest).replace(ON, "on")
    }

    #[test]
    fn each_kind_is_woven() {
        use Genre::{BinaryOperator as Binary, FnValue, MatchArm, MatchArmGuard, StructField, UnaryOperator};
        let check = |source: &str, genre, column, replacement: &str, expected: &str| {
            let found = woven(source, &[mutant(0, genre, [1, column], replacement)]);
            assert_eq!(found, expected);
            syn::parse_file(&found).unwrap();
        };
        check("fn f() { g() }", FnValue, 10, "()", "fn f() { if on(0) { return (); } g() }");
        let sum = "fn f() { (match ((a), (b)) { (l_, r_) => if on(0) { l_ - r_ } else { l_ + r_ } }) }";
        check("fn f() { a + b }", Binary, 12, "-", sum);
        let less =
            "fn f() { (match (&(a), &(b)) { (l_, r_) => if on(0) { *l_ == *r_ } else { *l_ < *r_ } }) }";
        check("fn f() { a < b }", Binary, 12, "==", less);
        let both = "fn f() { ({ let k_ = on(0); (((a) ^ k_) && ((b) ^ k_)) ^ k_ }) }";
        check("fn f() { a && b }", Binary, 12, "||", both);
        let added = "fn f() { (match b { r_ => if on(0) { a -= r_ } else { a += r_ } }); }";
        check("fn f() { a += b; }", Binary, 12, "-=", added);
        check(
            "fn f() { !a }",
            UnaryOperator,
            10,
            "",
            "fn f() { (match a { v_ => if on(0) { v_ } else { !v_ } }) }",
        );
        let arm = "fn f() { match a { 1 if !on(0) => 2, _ => 3 } }";
        check("fn f() { match a { 1 => 2, _ => 3 } }", MatchArm, 20, "", arm);
        let guard = "fn f() { match a { x if (if on(0) { true } else { b }) => 2, _ => 3 } }";
        check("fn f() { match a { x if b => 2, _ => 3 } }", MatchArmGuard, 25, "true", guard);
        let field = "fn f() { S { x: (if on(0) { let b_: S = d; b_.x } else { 1 }), ..d } }";
        check("fn f() { S { x: 1, ..d } }", StructField, 14, "", field);
    }

    #[test]
    fn chains_with_a_let_opaque_types_and_what_the_compiler_evaluates_stay() {
        let chain = "fn f() { if a && let Some(b) = c {} }";
        assert_eq!(woven(chain, &[mutant(0, Genre::BinaryOperator, [1, 15], "||")]), chain);
        let opaque = "fn f() -> impl Sized { 1 }";
        assert_eq!(woven(opaque, &[mutant(0, Genre::FnValue, [1, 24], "2")]), opaque);
        let constant = "const fn f() -> u32 { 1 + 1 }";
        assert_eq!(woven(constant, &[mutant(0, Genre::BinaryOperator, [1, 25], "-")]), constant);
    }

    #[test]
    fn of_parts_in_each_other_the_smallest_is_found() {
        let text = "/*<1,2*/ab/*<2*/cd/*2>*/ef/*1,2>*/gh";
        let around = |what: &str| {
            let at = text.find(what).unwrap();
            mutants_around(text, at..at + what.len())
        };
        assert_eq!((around("ab"), around("cd"), around("gh")), (vec![1, 2], vec![2], vec![]));
    }
}
