import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatCsvLine } from '../../../service/src/domain/format-csv.ts';
import { type CsvProblem, type CsvRecord, parseCsv, SEPARATORS } from './parse-csv.ts';

function parse(text: string) {
  const records: (CsvRecord | CsvProblem)[] = [];
  const { separator } = parseCsv(text, (record) => records.push(record) > 0);
  return { records, separator };
}

describe('parseCsv', () => {
  it('reads quotes, doubled quotes, separators and line breaks in quotes', () => {
    const { records } = parse('a,"b,c","d ""e"""\r\n"1\n2","3\r\n4",\nlast,x,y');
    assert.deepEqual(records, [
      { line: 1, cells: ['a', 'b,c', 'd "e"'] },
      { line: 2, cells: ['1\n2', '3\r\n4', ''] },
      { line: 5, cells: ['last', 'x', 'y'] },
    ]);
  });

  it('passes over empty lines and still counts them', () => {
    assert.deepEqual(parse('\n\r\na\n,,\n  \nb\n').records, [
      { line: 3, cells: ['a'] },
      { line: 6, cells: ['b'] },
    ]);
  });

  it('names each line with a stray quote and reads on behind it', () => {
    const { records } = parse('a"b,c\n"x"y,z\nfine\nalso fine\n"open');
    assert.deepEqual(
      records.map((record) => [record.line, 'cells' in record]),
      [
        [1, false],
        [2, false],
        [3, true],
        [4, true],
        [5, false],
      ],
    );
  });

  it('ends at a quote that is not closed, and when it is told to', () => {
    const { records } = parse(`a\n"${'x\n'.repeat(20_000)}`);
    assert.equal(records.length, 2);
    assert.match(JSON.stringify(records[1]), /"line":2,.*Is a quote not closed/);
    const seen: number[] = [];
    parseCsv('a\nb\nc\nd', ({ line }) => seen.push(line) < 2);
    assert.deepEqual(seen, [1, 2]);
  });

  it("takes the separator from Excel's own line, else from the first line", () => {
    for (const hint of ['sep=;', '"sep=;"', 'SEP=;', 'sep=;,,']) {
      const { records, separator } = parse(`\ufeff${hint}\r\na;b,c\r\n`);
      assert.deepEqual([records, separator], [[{ line: 2, cells: ['a', 'b,c'] }], ';'], hint);
    }
    assert.match(JSON.stringify(parse('sep=|\na|b\n').records), /commas, semicolons or tabs/);
    assert.equal(parse('amount,phone').separator, ',');
    assert.equal(parse('amount;phone;operator').separator, ';');
    assert.equal(parse('amount\tphone').separator, '\t');
    assert.equal(parse('amount').separator, ',');
  });

  it('reads back what formatCsvLine writes', () => {
    const anyCell = fc
      .string({ unit: fc.constantFrom('a', 'é', '🙂', '"', ',', ';', '\t', '\n', '\r', ' ', '1') })
      // These get an apostrophe.
      .filter((cell) => !/^[\t\r\n]/.test(cell));
    const anyRow = fc
      .array(anyCell, { minLength: 1, maxLength: 6 })
      .filter((row) => row.some((cell) => cell.trim() !== ''));
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 5 }),
        fc.constantFrom(...SEPARATORS),
        (rows, separator) => {
          const lines = rows.map((row) => formatCsvLine(row, separator));
          const text = `sep=${separator}\r\n${lines.join('')}`;
          const cells = parse(text).records.map((record) => 'cells' in record && record.cells);
          assert.deepEqual(cells, rows);
        },
      ),
    );
  });
});
