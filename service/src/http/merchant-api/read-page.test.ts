import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isOperator } from '../../domain/operator.ts';
import { Refusal } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { createQueryReader, encodeCursor, type QueryReader } from './read-page.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

function problemsOf(
  query: string,
  read: (reader: QueryReader) => object,
  known = ['limit', 'cursor', 'from', 'operator', 'walletId', 'reference', 'phone'],
): string[] {
  const reader = createQueryReader(new URLSearchParams(query), known);
  try {
    reader.checked(read(reader));
    return [];
  } catch (error) {
    assert.ok(error instanceof Refusal);
    assert.equal(error.code, 'VALIDATION_ERROR');
    return (error.detail.fields ?? []).map(({ field, code }) => `${field} ${code}`);
  }
}

function read<T>(query: string, get: (reader: QueryReader) => T) {
  const known = [...new URLSearchParams(query).keys()];
  const reader = createQueryReader(new URLSearchParams(query), known);
  return reader.checked({ value: get(reader) }).value;
}

describe('the query reader', () => {
  it('lists every broken parameter at once, and names unknown ones', () => {
    const problems = problemsOf('limit=0&operator=MTN&colour=red&from=soon', (reader) => ({
      limit: reader.limit(),
      operator: reader.word('operator', isOperator, 'INVALID_OPERATOR'),
      from: reader.time('from'),
    }));
    assert.deepEqual(problems, [
      'colour UNKNOWN_FIELD',
      'limit INVALID_LIMIT',
      'operator INVALID_OPERATOR',
      'from INVALID_TIME',
    ]);
  });

  it('refuses a parameter that is given twice, also with the same value', () => {
    const limit = (reader: QueryReader) => ({ limit: reader.limit() });
    assert.deepEqual(problemsOf('limit=5&limit=5', limit), ['limit INVALID_LIMIT']);
    assert.deepEqual(problemsOf('x=1&x=2', limit), ['x UNKNOWN_FIELD']);
  });

  it('gives a short answer to a thousand unknown parameters and to a long one', () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `x${index}=1`).join('&');
    assert.equal(problemsOf(query, () => ({})).length, 50);
    const [long = ''] = problemsOf(`${'y'.repeat(5_000)}=1`, () => ({}));
    assert.equal(long.length, 60 + ' UNKNOWN_FIELD'.length);
  });

  it('reads absent parameters as null and the limit as 50', () => {
    const reader = createQueryReader(new URLSearchParams(), ['from']);
    assert.equal(reader.limit(), 50);
    assert.equal(reader.time('from'), null);
    assert.equal(reader.cursor('transfers', parseUuid), null);
    assert.equal(reader.phone('phone', null), null);
  });

  it('takes limits from 1 to 100 in plain digits only', () => {
    for (const limit of [1, 9, 50, 100]) {
      assert.equal(
        read(`limit=${limit}`, (reader) => reader.limit()),
        limit,
      );
    }
    for (const wrong of ['', '0', '101', '-1', '+5', '1.0', '1e1', '05', 'ten', '٥', '1000']) {
      const query = new URLSearchParams({ limit: wrong }).toString();
      const problems = problemsOf(query, (reader) => ({ limit: reader.limit() }));
      assert.deepEqual(problems, ['limit INVALID_LIMIT'], wrong);
    }
  });

  it('accepts UUIDs in any case, and phones in any spelling and of any country', () => {
    const upper = ID.toUpperCase();
    assert.equal(
      read(`walletId=${upper}`, (reader) => reader.uuid('walletId', 'INVALID_WALLET_ID')),
      ID,
    );
    const phones = { '+260977433571': '+260977433571', '08031234567': '+2348031234567' };
    for (const [spelling, phone] of Object.entries(phones)) {
      assert.equal(
        read(`phone=${spelling}`, (reader) => reader.phone('phone', null)),
        phone,
      );
    }
    const problems = problemsOf('phone=08031234567', (reader) => ({
      phone: reader.phone('phone', 'zm'),
    }));
    assert.deepEqual(problems, ['phone INVALID_PHONE']);
  });
});

describe('times', () => {
  const time = (text: string) => read(`from=${text}`, (reader) => reader.time('from'));

  it('are a date and time with a zone, or a date, which means midnight UTC', () => {
    const times = {
      '2026-11-15T08:00:00Z': '2026-11-15T08:00:00.000Z',
      '2026-11-15T08:00Z': '2026-11-15T08:00:00.000Z',
      '2026-11-15T08:00:00.123456Z': '2026-11-15T08:00:00.123Z',
      '2026-11-15T08:00:00%2B02:00': '2026-11-15T06:00:00.000Z',
      // A plus that was not percent-encoded arrives as a space.
      '2026-11-15T08:00:00+02:00': '2026-11-15T06:00:00.000Z',
      '2026-11-15T00:30:00-01:00': '2026-11-15T01:30:00.000Z',
      '2026-11-15': '2026-11-15T00:00:00.000Z',
      '2028-02-29': '2028-02-29T00:00:00.000Z',
    };
    for (const [text, iso] of Object.entries(times)) assert.equal(time(text)?.toISOString(), iso);
  });

  it('are refused when they have no zone, do not exist or are anything else', () => {
    const wrong = [
      '',
      '2026-11-15T08:00:00',
      '2026-02-30',
      '2026-02-29T00:00:00Z',
      '2026-13-01',
      '2026-00-10',
      '2026-11-15T24:00:00Z',
      '2026-11-15T23:59:60Z',
      '2026-11-15T08:00:00%2B25:00',
      '15.11.2026',
      '1763193600',
      'now',
      '2026-11-15T08:00:00Z;drop',
    ];
    for (const text of wrong) {
      const problems = problemsOf(`from=${text}`, (reader) => ({ from: reader.time('from') }));
      assert.deepEqual(problems, ['from INVALID_TIME'], text);
    }
  });
});

describe('cursors', () => {
  const cursorProblems = (list: string, cursor: string) =>
    problemsOf(new URLSearchParams({ cursor }).toString(), (reader) => ({
      cursor: reader.cursor(list, parseUuid),
    }));

  it('read back in their own list', () => {
    const cursor = encodeCursor('transfers', ID);
    assert.match(cursor, /^[A-Za-z0-9_-]+$/);
    assert.equal(
      read(`cursor=${cursor}`, (reader) => reader.cursor('transfers', parseUuid)),
      ID,
    );
  });

  it('are refused in another list', () => {
    const cursor = encodeCursor('transfers', ID);
    assert.deepEqual(cursorProblems('recipients', cursor), ['cursor INVALID_CURSOR']);
    assert.deepEqual(cursorProblems('transfer', cursor), ['cursor INVALID_CURSOR']);
  });

  it('are refused when they are garbage, changed, of another version or too long', () => {
    const cursor = encodeCursor('transfers', ID);
    const other = Buffer.from(`v2:transfers:${ID}`).toString('base64url');
    const wrong = [
      '',
      ID,
      'null',
      `${cursor}=`,
      `${cursor}!`,
      ` ${cursor}`,
      cursor.slice(1),
      other,
    ];
    for (const text of [...wrong, encodeCursor('transfers', 'x'), 'A'.repeat(10_000)]) {
      assert.deepEqual(cursorProblems('transfers', text), ['cursor INVALID_CURSOR'], text);
    }
  });

  it('are refused as field problems, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        assert.deepEqual(cursorProblems('transfers', text), ['cursor INVALID_CURSOR']);
      }),
    );
  });
});
