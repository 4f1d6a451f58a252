//! A set of tables that is filled from a database, and the changes of callers.

use std::fmt::Write;

use rusqlite::Connection;
use svcgen::types::{Cell, DataRow, DataSet, DataTable, DateTime, Decimal, RowState};

const SCHEMA: &str = "
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price TEXT, printed TEXT, weight REAL, lent INTEGER, cover BLOB);
    CREATE TABLE loan (book INTEGER REFERENCES book, who TEXT);
    INSERT INTO book VALUES (1, 'Emma & <co>', '9.50', '2024-02-29T12:34:56', 0.25, 1, x'0102');
    INSERT INTO book VALUES (2, '', NULL, NULL, NULL, 0, NULL);
    INSERT INTO book VALUES (3, NULL, '1000000.01', '1999-12-31T00:00:00', 1e-7, 0, x'');
    INSERT INTO loan VALUES (1, 'me');
";

/// Returns the books of a database, and who has them.
pub fn shelf() -> DataSet {
    filled().expect("a database in memory")
}

fn filled() -> Result<DataSet, Box<dyn std::error::Error>> {
    let database = Connection::open_in_memory()?;
    database.execute_batch(SCHEMA)?;
    let mut books = DataTable::new("Book");
    books.column::<i32>("Id");
    books.column::<String>("Title of it").max_length(40);
    books.column::<Decimal>("Price");
    books.column::<DateTime>("Printed");
    books.column::<f64>("Weight");
    books.column::<bool>("Lent").default(false);
    books.column::<Vec<u8>>("Cover");
    books.set_primary_key(&["Id"])?;
    let mut query = database.prepare("SELECT * FROM book ORDER BY id")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        books.push([
            row.get::<_, i32>(0)?.into(),
            row.get::<_, Option<String>>(1)?.into(),
            row.get::<_, Option<String>>(2)?.into(),
            row.get::<_, Option<String>>(3)?.into(),
            row.get::<_, Option<f64>>(4)?.into(),
            row.get::<_, bool>(5)?.into(),
            row.get::<_, Option<Vec<u8>>>(6)?.into(),
        ])?;
    }
    let mut loans = DataTable::new("Loan");
    loans.column::<i32>("Book");
    loans.column::<String>("Who");
    let mut query = database.prepare("SELECT book, who FROM loan")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (book, who): (i32, String) = (row.get(0)?, row.get(1)?);
        loans.push([book.into(), who.into()])?;
    }
    let mut shelf = DataSet::new("Shelf").with_table(books).with_table(loans);
    shelf.relate("loans", ("Book", &["Id"]), ("Loan", &["Book"]))?;
    shelf.accept_changes();
    Ok(shelf)
}

/// Returns the same set with a change of each kind.
///
/// # Panics
///
/// Never: the set is as above.
pub fn changed() -> DataSet {
    let mut shelf = shelf();
    let books = shelf.table_mut("Book").expect("the books");
    let done = [
        books.set(0, "Title of it", " changed "),
        books.set(0, "Price", Cell::NULL),
        books.set_error(1, "bad row"),
        books.set_cell_error(1, "Weight", "bad weight"),
        books.delete(2),
        books.push([4.into(), "new".into()]),
    ];
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    shelf
}

/// Returns each change with the original values, in the format of
/// `interop/servers/asmx/Library.asmx`.
pub fn changes(shelf: &DataSet) -> String {
    let mut changes = String::new();
    for table in shelf.tables() {
        let wanted = table.rows().filter(|row| {
            let mut columns = table.columns().iter();
            let has_error = columns.any(|column| row.cell_error(column.name()).is_some());
            row.state() != RowState::Unchanged || row.error().is_some() || has_error
        });
        for row in wanted {
            change(&mut changes, table, row);
        }
    }
    changes
}

fn change(changes: &mut String, table: &DataTable, row: DataRow<'_>) {
    let state = match row.state() {
        RowState::Unchanged => "Unchanged",
        RowState::Inserted => "Added",
        RowState::Modified => "Modified",
        RowState::Deleted => "Deleted",
    };
    let error = row.error().map(|error| format!(" {error}"));
    let _ = write!(
        changes,
        "{} {state}{}:",
        table.name(),
        error.unwrap_or_default()
    );
    for column in table.columns() {
        let name = column.name();
        let shown = |text: Option<&str>| match text {
            // The time zone depends on the caller.
            Some(text) if column.column_type().name() == "dateTime" => text[..19].to_owned(),
            Some(text) => text.to_owned(),
            None => "-".to_owned(),
        };
        if row.state() != RowState::Inserted {
            let original = row.original_text(name).unwrap_or_default();
            let _ = write!(changes, " {}", shown(original));
        }
        if row.state() != RowState::Deleted {
            let current = row.text(name).unwrap_or_default();
            let _ = write!(changes, " > {}", shown(current));
        }
        changes.push_str(row.cell_error(name).unwrap_or_default());
        changes.push(';');
    }
    changes.push('\n');
}
