//! Rows as files that other programs read: comma-separated values, lines of JSON, Parquet.

use anyhow::{Result, anyhow};
use serde::Serialize;

/// A row of a table, with its columns in the words of Parquet: `required int64 number`.
pub trait Columns: Serialize {
    /// The columns in the order of the fields, separated by semicolons.
    const COLUMNS: &'static str;
}

/// As comma-separated values with a line of names.
pub fn csv(rows: &[impl Serialize]) -> Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| csv.serialize(row)).map_err(|error| anyhow!("{error}"))?;
    Ok(csv.into_inner()?)
}

/// As a line of JSON each.
pub fn json(rows: &[impl Serialize]) -> Result<Vec<u8>> {
    let lines: serde_json::Result<Vec<String>> = rows.iter().map(serde_json::to_string).collect();
    Ok(lines?.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect())
}

/// As Parquet: one group of rows, not compressed.
pub fn parquet<R: Columns>(rows: &[R]) -> Result<Vec<u8>> {
    use ::parquet::column::writer::ColumnWriter;
    use ::parquet::data_type::ByteArray;
    use ::parquet::file::writer::SerializedFileWriter;
    use ::parquet::schema::parser::parse_message_type;
    use serde_json::Value;
    use std::sync::Arc;

    let schema = Arc::new(parse_message_type(&format!("message rows {{ {}; }}", R::COLUMNS))?);
    let rows: Vec<Value> = rows.iter().map(serde_json::to_value).collect::<serde_json::Result<_>>()?;
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::clone(&schema), Arc::default())?;
    let mut group = file.next_row_group()?;
    for field in schema.get_fields() {
        let cells = || rows.iter().map(|row| &row[field.name()]);
        let there = || cells().filter(|cell| !cell.is_null());
        // Where a column may have gaps, a level says of each cell whether it is there.
        let levels: Vec<i16> = cells().map(|cell| i16::from(!cell.is_null())).collect();
        let levels = field.is_optional().then_some(&levels[..]);
        let wrong = || anyhow!("column `{}` has a cell of another kind", field.name());
        /// The cells as numbers of one kind.
        macro_rules! all {
            ($read:expr) => {
                &there().map(|cell| $read(cell).ok_or_else(wrong)).collect::<Result<Vec<_>>>()?
            };
        }
        let mut column = group.next_column()?.ok_or_else(wrong)?;
        match column.untyped() {
            ColumnWriter::BoolColumnWriter(to) => to.write_batch(all!(Value::as_bool), levels, None)?,
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(all!(Value::as_i64), levels, None)?,
            ColumnWriter::DoubleColumnWriter(to) => to.write_batch(all!(Value::as_f64), levels, None)?,
            ColumnWriter::ByteArrayColumnWriter(to) => {
                to.write_batch(all!(|cell: &Value| cell.as_str().map(ByteArray::from)), levels, None)?
            }
            _ => return Err(wrong()),
        };
        column.close()?;
    }
    group.close()?;
    Ok(file.into_inner()?)
}
