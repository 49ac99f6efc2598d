import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { ZipArchive } from '../reading/zip-archive.ts';
import { RESULT_COLUMNS, type ResultRow } from './read-results.ts';
import { type ResultFormat, writeResults } from './write-results.ts';

const PAGE_ROWS = 100;
const PAGES = 20;
const SHEET = 'xl/worksheets/sheet1.xml';

function rowOf(number: number, narration: string): ResultRow {
  const empty = RESULT_COLUMNS.map((column) => [column, null]);
  return { ...Object.fromEntries(empty), row: String(number), amount: '1.00', narration };
}

/** Every narration is other text, so that it cannot be compressed well. */
async function* pagesOf(count: number, narrationBytes: number) {
  for (let page = 0; page < count; page += 1) {
    yield Array.from({ length: PAGE_ROWS }, (_, index) =>
      rowOf(page * PAGE_ROWS + index + 1, randomBytes(narrationBytes).toString('hex')),
    );
  }
}

async function partsOf(format: ResultFormat, pages: AsyncIterable<readonly ResultRow[]>) {
  const parts: Buffer[] = [];
  for await (const part of writeResults(pages, format)) parts.push(part);
  return parts;
}

async function sheetOf(workbook: Buffer): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of new ZipArchive(workbook).read(SHEET)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

it('results come in parts that are as large as a page, however many rows there are', async () => {
  const pageBytes = PAGE_ROWS * 1_100;
  for (const format of ['csv', 'xlsx'] as const) {
    const parts = await partsOf(format, pagesOf(PAGES, 500));
    const largest = Math.max(...parts.map(({ length }) => length));
    const total = parts.reduce((sum, { length }) => sum + length, 0);
    assert.ok(total > 1_000_000, `${format}: ${total} bytes in all`);
    assert.ok(largest < pageBytes + 256 * 1_024 + 65_536, `${format}: ${largest} bytes in a part`);
  }
});

it('a workbook has all rows, whether it is written at once or before it is complete', async () => {
  for (const [pages, narrationBytes] of [
    [0, 1],
    [1, 10],
    [PAGES, 500],
  ] as const) {
    const workbook = Buffer.concat(await partsOf('xlsx', pagesOf(pages, narrationBytes)));
    const sheet = await sheetOf(workbook);
    assert.equal([...sheet.matchAll(/<row /g)].length, 1 + pages * PAGE_ROWS);
    assert.match(sheet, /^<\?xml .*<\/sheetData><\/worksheet>$/s);
  }
});

it('a CSV file has a line of names and a line for each row', async () => {
  const text = Buffer.concat(await partsOf('csv', pagesOf(2, 10))).toString('utf8');
  const lines = text.split('\r\n');
  assert.equal(lines[0], RESULT_COLUMNS.join(','));
  assert.equal(lines.length, 1 + 2 * PAGE_ROWS + 1);
  const none = Buffer.concat(await partsOf('csv', pagesOf(0, 1))).toString('utf8');
  assert.equal(none, `${RESULT_COLUMNS.join(',')}\r\n`);
});
