import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { prefersCsv, toCsv } from './csv.ts';

/** An RFC 4180 reader, written from the grammar and independently of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    assert.ok(found !== null, 'not RFC 4180');
    const [, quoted, plain = '', end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('CSV', () => {
  it('ends each line with CRLF and quotes what would break a line', () => {
    const text = toCsv(
      ['a', 'b'],
      [
        ['1', 'x,y'],
        ['say "hi"', null],
        ['two\nlines', ''],
      ],
    );
    assert.equal(text, 'a,b\r\n1,"x,y"\r\n"say ""hi""",\r\n"two\nlines",\r\n');
  });

  it('puts an apostrophe before text that a spreadsheet would run as a formula', () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1'];
    for (const formula of [...formulas, '＝1', '＋1', '－1', '＠x', '=cmd|"/c calc"!A1,"x"']) {
      const [row] = parseCsv(toCsv([], [[formula]])).slice(1);
      assert.deepEqual(row, [`'${formula}`]);
    }
    assert.equal(toCsv(['x'], [['1-1'], ["O'Brien"], ['0.50']]), "x\r\n1-1\r\nO'Brien\r\n0.50\r\n");
  });

  it('reads back as the same cells for any content, and no cell begins a formula', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', ',', '"', '\r', '\n', '\t', '\0', 'a', '＝'),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const [, ...back] = parseCsv(toCsv(['one', 'two'], rows));
        assert.deepEqual(
          back.map((row) =>
            row.map((text) => (/^'[=+\-@\t\r\n\0＝]/.test(text) ? text.slice(1) : text)),
          ),
          rows.map((row) =>
            row.map((text) => (/^'[=+\-@\t\r\n\0＝]/.test(text) ? text.slice(1) : text)),
          ),
        );
        for (const text of back.flat()) assert.doesNotMatch(text, /^[=+\-@\t\r\n\0＝]/);
      }),
    );
  });
});

describe('the choice between CSV and JSON', () => {
  const csv = [
    'text/csv',
    'TEXT/CSV',
    'text/csv; charset=utf-8; header=present',
    'application/json;q=0.5, text/csv;q=0.9',
    'text/csv, */*;q=0.1',
    'text/csv, */*',
    'text/*',
    'text/csv;q=0.001, application/json;q=0',
    'text/html, text/csv ; q=0.8',
  ];
  const json = [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/csv',
    'text/csv;q=0.5, application/json',
    'text/csv;q=0, */*',
    'text/csv;q=0',
    'text/csv;q=2',
    'text/csv;q=',
    'text/csvx',
    'image/png',
    ';;,,;q=,',
  ];

  it('is CSV if its weight is higher, or equal with a more specific range', () => {
    for (const accept of csv) assert.equal(prefersCsv(accept), true, accept);
  });

  it('is JSON otherwise', () => {
    for (const accept of json) assert.equal(prefersCsv(accept), false, accept);
  });
});
