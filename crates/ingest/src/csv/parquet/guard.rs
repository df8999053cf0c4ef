//! Pages against the sizes that the footer states: memory was taken for these, and a damaged or hostile file
//! may hold more.

use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};

/// The pages of one column of a row group.
pub(super) struct Guard {
    pub(super) pages: Box<dyn PageReader>,
    /// Values, or places of values, that may come.
    pub(super) values_left: u64,
    /// Unpacked bytes that may come.
    pub(super) bytes_left: u64,
}

impl Guard {
    fn check(&mut self, page: Option<Page>) -> Result<Option<Page>> {
        let Some(page) = page else { return Ok(None) };
        let values = if page.is_data_page() { u64::from(page.num_values()) } else { 0 };
        let bytes = page.buffer().len() as u64;
        match (self.values_left.checked_sub(values), self.bytes_left.checked_sub(bytes)) {
            (Some(values_left), Some(bytes_left)) => {
                (self.values_left, self.bytes_left) = (values_left, bytes_left);
                Ok(Some(page))
            }
            _ => Err(ParquetError::General("its pages hold more than its footer states".into())),
        }
    }
}

impl PageReader for Guard {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        self.check(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for Guard {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
