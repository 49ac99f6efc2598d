import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatCsvLine } from './format-csv.ts';
import {
  CsvParser,
  type CsvProblem,
  type CsvRecord,
  detectSeparator,
  SEPARATORS,
  type Separator,
} from './parse-csv.ts';

function parse(texts: readonly string[], separator: Separator = ',') {
  const records: (CsvRecord | CsvProblem)[] = [];
  const parser = new CsvParser(separator, (record) => void records.push(record));
  for (const text of texts) parser.read(text);
  parser.end();
  return records;
}

function cellsOf(records: readonly (CsvRecord | CsvProblem)[]) {
  return records.map((record) => ('cells' in record ? record.cells : record.reason));
}

describe('CsvParser', () => {
  it('reads quotes, doubled quotes, separators and line breaks in quotes', () => {
    const text = 'a,"b,c","d ""e"""\r\n"1\n2",,\nlast,x,y';
    assert.deepEqual(parse([text]), [
      { line: 1, cells: ['a', 'b,c', 'd "e"'] },
      { line: 2, cells: ['1\n2', '', ''] },
      { line: 4, cells: ['last', 'x', 'y'] },
    ]);
  });

  it('passes over empty lines and still counts them', () => {
    assert.deepEqual(parse(['\n\r\na\n,,\n  \nb\n']), [
      { line: 3, cells: ['a'] },
      { line: 6, cells: ['b'] },
    ]);
  });

  it('names each broken line and reads on behind it', () => {
    const records = parse(['a"b,c\n"x"y,z\nfine\n1\r2\nalso fine\n"open']);
    assert.deepEqual(
      records.map((record) => [record.line, 'cells' in record]),
      [
        [1, false],
        [2, false],
        [3, true],
        [4, false],
        [5, true],
        [6, false],
      ],
    );
  });

  it('ends a cell that never ends, and a line of endless columns', () => {
    const [long] = parse([`"${'x'.repeat(5_000)}`]);
    assert.match(String(cellsOf(long === undefined ? [] : [long])[0]), /Is a quote not closed/);
    const [wide] = parse([','.repeat(500)]);
    assert.ok(wide !== undefined && 'reason' in wide);
  });

  it('reads back whatever formatCsvLine writes, cut anywhere', () => {
    const anyCell = fc
      .string({ unit: fc.constantFrom('a', 'é', '🙂', '"', ',', ';', '\t', '\n', '\r', ' ', '1') })
      // These get an apostrophe, which a later test looks at.
      .filter((cell) => !/^[\t\r\n]/.test(cell));
    const anyRow = fc
      .array(anyCell, { minLength: 1, maxLength: 6 })
      .filter((row) => row.some((cell) => cell.trim() !== ''));
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 5 }),
        fc.constantFrom(...SEPARATORS),
        fc.nat({ max: 30 }),
        (rows, separator, cut) => {
          const text = rows.map((row) => formatCsvLine(row, separator)).join('');
          assert.deepEqual(cellsOf(parse([text.slice(0, cut), text.slice(cut)], separator)), rows);
        },
      ),
    );
  });
});

describe('detectSeparator', () => {
  it('finds the one that the first line uses', () => {
    assert.equal(detectSeparator('amount,phone'), ',');
    assert.equal(detectSeparator('amount;phone;operator'), ';');
    assert.equal(detectSeparator('amount\tphone'), '\t');
    assert.equal(detectSeparator('amount'), ',');
  });
});

describe('formatCsvLine', () => {
  it('makes formulas harmless, also those behind blanks', () => {
    const formulas = ['=1+1', '+260977433571', '-5', '@sum', '\t=1', '\r=1', ' =1', '＝1', '\0=1'];
    for (const formula of formulas) {
      assert.match(formatCsvLine([formula], ','), /^"?'/, JSON.stringify(formula));
    }
    assert.equal(formatCsvLine(["O'Brien", '12.50', ''], ','), "O'Brien,12.50,\r\n");
  });
});
