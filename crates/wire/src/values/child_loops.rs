//! Reading the children of objects and lists.
//!
//! Most messages contain the expected elements in the expected order, without attributes: the fast
//! path takes their start tags, in loops with few variables, which stay in registers. Everything
//! else is read in one general loop, with the same results and limits.

use svcgen_model::{self as model, Kind};

use super::children::{Children, Order};
use super::element::{Element, Given};
use super::value::Fields;
use crate::xml::scopes::Rows;
use crate::xml::tokens::Result;

/// Reads a child, given its index among the expected elements.
type Field<'f, 'i> = &'f mut dyn FnMut(usize, &mut Element<'i>) -> Result<()>;

impl<'i> Element<'i> {
    /// Reads the children of the element, through its end tag: calls `field` for each child that
    /// has an expected name and namespace; `rows` give the namespaces if they differ from that of
    /// the element. Other children are skipped, or refused by strict reading.
    pub(crate) fn children(
        &mut self,
        children: Children<'_>,
        rows: Option<Rows<'i>>,
        field: Field<'_, 'i>,
    ) -> Result<()> {
        match (children.kind, children.elements) {
            (Kind::List, [item]) if rows.is_none() => self.repeated(item, field),
            _ if self.ends_empty() => Ok(()),
            (Kind::Mixed, _) => self.mixed(Order::of(children, rows), field),
            _ => self.others(Order::of(children, rows), field),
        }
    }

    /// Reads children that may occur once each, at most 64.
    #[inline(never)]
    pub(super) fn record(
        &mut self,
        elements: &[model::Element<'_>],
        is_message: bool,
        fields: &mut dyn Fields,
    ) -> Result<()> {
        if self.ends_empty() {
            return Ok(());
        }
        let level = self.tokens.open.len();
        let Some(path) = self.tokens.fast_path(None) else {
            return Ok(());
        };
        let mut taken = 0;
        for element in elements {
            let rest = self.tokens.rest_after_blanks();
            if !self.tokens.take_named(&path, element.name, rest) {
                break;
            }
            fields.read_element(taken, self)?;
            self.pass_unread(level)?;
            taken += 1;
        }
        let rest = self.tokens.rest_after_blanks();
        if taken == elements.len() && self.tokens.take_end(&path, rest) {
            return Ok(());
        }
        let order = Order::after(taken, elements, is_message);
        self.others(order, &mut |index, element| {
            fields.read_element(index, element)
        })
    }

    /// Reads children of one name.
    #[inline(never)]
    fn repeated(&mut self, item: &model::Element<'_>, field: Field<'_, 'i>) -> Result<()> {
        if self.ends_empty() {
            return Ok(());
        }
        let level = self.tokens.open.len();
        let Some(path) = self.tokens.fast_path(None) else {
            return Ok(());
        };
        loop {
            let rest = self.tokens.rest_after_blanks();
            if !self.tokens.take_named(&path, item.name, rest) {
                if self.tokens.take_end(&path, rest) {
                    return Ok(());
                }
                break;
            }
            field(0, self)?;
            self.pass_unread(level)?;
        }
        self.others(Order::of(Children::items(item), None), field)
    }

    /// Opens the element, or closes it and returns `true` if it is `<x/>`.
    #[inline(always)]
    fn ends_empty(&mut self) -> bool {
        self.open_leaf();
        let ends = self.tokens.empty;
        if ends {
            self.tokens.close();
        }
        ends
    }

    /// Reads children in any order, by the general loop.
    #[inline(never)]
    fn others(&mut self, mut order: Order<'_, 'i>, field: Field<'_, 'i>) -> Result<()> {
        let level = self.tokens.open.len();
        let Some(path) = self.tokens.fast_path(order.rows) else {
            return Ok(());
        };
        let elements = order.elements();
        loop {
            let rest = self.tokens.rest_after_blanks();
            let index = match elements.get(order.next) {
                Some(next) if self.tokens.take_named(&path, next.name, rest) => order.next,
                _ => match self.tokens.other(&path, rest, &order)? {
                    Some(index) => index,
                    None => return Ok(()),
                },
            };
            if order.admits(index, &mut self.going_on) {
                self.enter(order.rows, index);
                field(index, self)?;
            } else if self.tokens.strict {
                self.open_leaf();
                return Err(self.tokens.not_admitted(&order));
            }
            self.pass_unread(level)?;
        }
    }

    /// Reads children in any order, with the text between them.
    #[inline(never)]
    fn mixed(&mut self, mut order: Order<'_, 'i>, field: Field<'_, 'i>) -> Result<()> {
        let level = self.tokens.open.len();
        loop {
            if let Some(text) = self.tokens.text_between()? {
                if let Some(index) = order.admit_text(&mut self.going_on) {
                    self.enter(order.rows, index);
                    self.given = Some(Given::Attribute(None, text));
                    field(index, self)?;
                    self.given = None;
                }
                continue;
            }
            if !self.tokens.child()? {
                return Ok(());
            }
            match self.tokens.known_child(&order)? {
                None => drop(self.tokens.skip()?),
                Some(index) if order.admits(index, &mut self.going_on) => {
                    self.enter(order.rows, index);
                    field(index, self)?;
                }
                Some(_) if self.tokens.strict => return Err(self.tokens.not_admitted(&order)),
                Some(_) => {}
            }
            self.pass_unread(level)?;
        }
    }

    /// Reads the element whose start tag is read and its following siblings, in any order, through
    /// the end tag of their parent.
    #[inline(never)]
    pub(super) fn parts(
        &mut self,
        children: Children<'_>,
        rows: Rows<'i>,
        field: Field<'_, 'i>,
    ) -> Result<()> {
        let level = self.tokens.open.len();
        let mut order = Order::of(children, Some(rows));
        loop {
            match self.tokens.known_part(&order)? {
                None => drop(self.tokens.skip()?),
                Some(index) if order.admits(index, &mut self.going_on) => {
                    self.enter(Some(rows), index);
                    self.read_as_root(|element| field(index, element))?;
                }
                Some(_) => {}
            }
            if self.tokens.open.len() >= level {
                self.tokens.skip_value()?;
            }
            if !self.tokens.child()? {
                return Ok(());
            }
        }
    }

    /// Sets the row of the child that is read next, in a service that needs rows.
    #[inline]
    pub(super) fn enter(&mut self, rows: Option<Rows<'i>>, index: usize) {
        if let (Some(rows), Some(scopes)) = (rows, &mut self.tokens.scopes) {
            scopes.enter(rows, index);
            self.text_form = rows.elements[index].text_form();
        }
    }

    /// Sets the row of an attribute or of the text of the element.
    #[inline]
    pub(super) fn enter_row(&mut self, row: &model::Element<'_>) {
        if self.tokens.scopes.is_some() {
            self.text_form = row.text_form();
        }
    }

    /// Skips a child that occurred before, or that `field` did not read.
    #[inline(always)]
    fn pass_unread(&mut self, level: usize) -> Result<()> {
        if self.tokens.leaf.is_some() || self.tokens.open.len() > level {
            return self.skip_child();
        }
        Ok(())
    }

    #[cold]
    fn skip_child(&mut self) -> Result<()> {
        self.open_leaf();
        self.tokens.skip_value()
    }
}
