import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefersCsv, toCsv } from './csv.ts';

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
