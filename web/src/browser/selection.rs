//! The code that is selected by hand.

use gloo::utils::{document, window};
use std::ops::Range as Rows;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node, NodeList, Range};

/// What a selection holds.
pub(crate) enum Selected {
    /// No code, or part of one line: the browser copies that well.
    Other,
    /// Lines of code, as far as they are selected.
    Code(String),
    /// These rows of a file, by its index: some of them are not drawn.
    Rows { file: u32, rows: Rows<u32> },
}

/// What is selected in this list. `side` is a selector of the rows to take.
pub(crate) fn selected(list: &Element, side: &str) -> Selected {
    let Some(range) = range_in(list) else {
        return Selected::Other;
    };
    let rows: Vec<Element> = among(list, side, &range);
    if rows.len() < 2 {
        return Selected::Other;
    }
    let is_hole = |space: &Element| {
        let height = space
            .dyn_ref::<HtmlElement>()
            .map_or(0, HtmlElement::offset_height);
        height > 0 && space.previous_sibling().is_some()
    };
    let has_holes = among(list, ".space", &range).iter().any(is_hole);
    if let Some(rows) = whole_rows(&rows).filter(|_| has_holes) {
        return rows;
    }
    let lines: Vec<String> = rows.iter().filter_map(|row| code_of(row, &range)).collect();
    Selected::Code(lines.join("\n"))
}

/// The selection, if it goes over more than one row of the list.
fn range_in(list: &Element) -> Option<Range> {
    let selection = window().get_selection().ok().flatten()?;
    let range = selection.get_range_at(0).ok()?;
    let ancestor = range.common_ancestor_container().ok()?;
    let is_within = list.contains(Some(&ancestor)) && !selection.is_collapsed();
    is_within.then_some(range)
}

/// The elements of a selector that the range touches.
fn among(list: &Element, selector: &str, range: &Range) -> Vec<Element> {
    let all = list.query_selector_all(selector).ok();
    let touched = |element: &Element| range.intersects_node(element).unwrap_or(false);
    all.iter().flat_map(elements).filter(touched).collect()
}

fn elements(list: &NodeList) -> Vec<Element> {
    let node = |at| list.get(at)?.dyn_into::<Element>().ok();
    (0..list.length()).filter_map(node).collect()
}

/// From the first of these rows to the last, if both are of one file.
fn whole_rows(rows: &[Element]) -> Option<Selected> {
    let place = |row: &Element| {
        let file = row.closest(".file").ok()??.id();
        let file = file.strip_prefix("file-")?.parse::<u32>().ok()?;
        let row = row.get_attribute("data-row")?.parse::<u32>().ok()?;
        Some((file, row))
    };
    let (file, first) = place(rows.first()?)?;
    let (other, last) = place(rows.last()?)?;
    (file == other).then_some(Selected::Rows {
        file,
        rows: first..last + 1,
    })
}

/// The code of a row, as far as the range goes.
fn code_of(row: &Element, range: &Range) -> Option<String> {
    let code = row.query_selector("code").ok()??;
    let part = document().create_range().ok()?;
    part.select_node_contents(&code).ok()?;
    let (start, end) = (range.start_container().ok()?, range.end_container().ok()?);
    let holds = |node: &Node| code.contains(Some(node));
    if holds(&start) {
        part.set_start(&start, range.start_offset().ok()?).ok()?;
    }
    if holds(&end) {
        part.set_end(&end, range.end_offset().ok()?).ok()?;
    }
    Some(String::from(part.to_string()))
}
