/** A file has at most as many rows below its header. */
export const ROWS_MAX = 50_000;
/** Titles and empty lines that may stand before the header. */
export const HEADER_WITHIN_ROWS = 20;
/** Columns further right are not looked at. */
export const COLUMNS_MAX = 100;
/** How much of a cell is kept: ten times what any field takes, so that a text that is too long is still seen. */
export const CELL_LENGTH_MAX = 1_000;
/** All cells that are kept. 50,000 rows of 8 cells with 80 characters each. */
export const TEXT_LENGTH_MAX = 32 * 1_024 * 1_024;
/** A CSV record. A quote that is not closed would swallow the whole file. */
export const RECORD_LENGTH_MAX = 64 * 1_024;
/** The parts of a workbook that are read, unpacked. 50,000 rows of 20 cells take a quarter of it. */
export const UNPACKED_BYTES_MAX = 200 * 1_024 * 1_024;
/** Texts of a workbook that its cells refer to. */
export const SHARED_TEXTS_MAX = 1_000_000;
/** Formats of cells, as many as Excel allows. */
export const CELL_FORMATS_MAX = 65_490;
/** Formats of numbers that a workbook adds to the usual ones. Excel allows 250. */
export const NUMBER_FORMATS_MAX = 10_000;
/** What a workbook refers to: its sheets, texts, formats and other files. */
export const RELATIONS_MAX = 10_000;
/** A tag of a workbook with its attributes. The longest ones list the ranges of cells that a format is for. */
export const TAG_LENGTH_MAX = 256 * 1_024;
/** A text or a comment of a workbook. A cell of Excel holds 32,767 characters. */
export const XML_TOKEN_LENGTH_MAX = 1_024 * 1_024;
export const ZIP_ENTRIES_MAX = 10_000;
export const SHEETS_MAX = 50;
/**
 * CPU time of the thread that reads a file, so that a busy machine counts for nothing. 50,000 rows take 1.5 seconds, and
 * 4 where each has 20 cells.
 */
export const READ_CPU_MAX_MS = 10_000;
