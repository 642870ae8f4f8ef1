//! What holds for every text, whoever wrote it. The generated tests and the fuzz targets check the same properties.

mod reader;
mod report;

pub use self::reader::patch;
pub use self::report::{exports, report, rows};
