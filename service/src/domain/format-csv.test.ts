import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type CsvSeparator, formatCsvLine } from './format-csv.ts';

/** A reader of RFC 4180, written from the grammar and apart from the writer. */
function parseCsv(text: string, separator: CsvSeparator = ','): string[][] {
  const rows: string[][] = [];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`,
    'gy',
  );
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    assert.ok(found !== null, 'not RFC 4180');
    const [, quoted, plain = '', end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n\0]/;

describe('formatCsvLine', () => {
  it('puts an apostrophe before what a spreadsheet would run, also behind blanks', () => {
    const formulas = ['=1+1', '+260977433571', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1'];
    const hidden = [' =1', '  -1', '\u00a0+1', ' \t@x', '＝1', '＋1', '－1', '＠x'];
    for (const formula of [...formulas, ...hidden, '=cmd|"/c calc"!A1,"x"']) {
      assert.deepEqual(parseCsv(formatCsvLine([formula])), [[`'${formula}`]]);
    }
    const harmless = ['1-1', "O'Brien", '0.50', '', null];
    assert.equal(formatCsvLine(harmless), "1-1,O'Brien,0.50,,\r\n");
  });

  it('reads back as the same cells for any text, and no cell begins a formula', () => {
    const characters = ['=', '+', '-', '@', ',', ';', '"', '\r', '\n', '\t', '\0', ' ', 'a', '＝'];
    const cell = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...characters) }));
    const anySeparator = fc.constantFrom<CsvSeparator>(',', ';', '\t');
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), anySeparator, (rows, separator) => {
        const text = rows.map((row) => formatCsvLine(row, separator)).join('');
        const back = parseCsv(text, separator);
        const expected = rows.map((row) =>
          row.map((value) => (FORMULA.test(value) ? `'${value}` : value)),
        );
        assert.deepEqual(back, expected);
        for (const value of back.flat()) assert.doesNotMatch(value, FORMULA);
      }),
    );
  });
});
