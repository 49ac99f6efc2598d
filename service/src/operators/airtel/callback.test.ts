import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { CallbackReading } from '../contract/connector.ts';
import { readCallback } from './callback.ts';
import { toAirtelId } from './formats.ts';

const REFERENCE = '6f1c2b34-5d6e-4f70-8a9b-0c1d2e3f4a5b';
const SECRET = 'key of the callbacks';
const TOLD = {
  id: toAirtelId(REFERENCE),
  message: 'Paid ZMW 5 to "Zoë"',
  status_code: 'TS',
  airtel_money_id: 'CI240101.1234.A00001',
};

function read(
  body: string,
  secret?: string,
  headers: Readonly<Record<string, string>> = {},
): CallbackReading {
  const callback = { method: 'POST', path: '/callbacks', headers, body: Buffer.from(body) };
  return readCallback(callback, { callbackSecret: secret, readsTexts: true, country: 'zm' });
}

function hashOf(text: string, secret: string = SECRET): string {
  return createHmac('sha256', secret).update(text).digest('base64');
}

describe('a callback', () => {
  it('maps to our reference and reports what it claims', () => {
    const claims: [unknown, string][] = [
      ['TS', 'paid'],
      ['TF', 'failed'],
      ['TIP', 'pending'],
      ['TA', 'unknown'],
      ['ts', 'unknown'],
      [undefined, 'unknown'],
      [7, 'unknown'],
    ];
    for (const [status_code, claimed] of claims) {
      const reading = read(JSON.stringify({ transaction: { ...TOLD, status_code } }));
      assert.deepEqual(reading, {
        kind: 'read',
        operatorReference: REFERENCE,
        claims: claimed,
        verified: false,
      });
    }
  });

  it('reports amount, currency and number if its text or its fields have them', () => {
    const reportedBy = (changes: object) => {
      const reading = read(JSON.stringify({ transaction: { ...TOLD, ...changes } }));
      return reading.kind === 'read' ? reading.reported : undefined;
    };
    const reported = { amountMinor: 2_671n, currency: 'ZMW', phone: '+260977123456' };
    assert.deepEqual(reportedBy({ message: 'Paid ZMW 26.71 to 977123456 Trans ID 1' }), reported);
    const fields = { message: 'x', amount: 26.71, currency: 'ZMW', msisdn: '0977123456' };
    assert.deepEqual(reportedBy(fields), reported);
    assert.equal(reportedBy({ message: 'Paid ZMW 26.71 to JANE' }), undefined);
    assert.equal(reportedBy({ message: 'Paid ZMW 26.71 to 97712****' }), undefined);
  });

  it('is verified by a hash of the object, of the body without the hash, or of the whole body in a header', () => {
    const transaction = TOLD;
    const compact = JSON.stringify({ transaction });
    const spaced = JSON.stringify({ transaction }, null, 2);
    const cases: [string, Readonly<Record<string, string>>][] = [
      [JSON.stringify({ transaction, hash: hashOf(JSON.stringify(TOLD)) }), {}],
      [JSON.stringify({ transaction, hash: hashOf(compact) }), {}],
      [JSON.stringify({ hash: hashOf(compact), transaction }), {}],
      [JSON.stringify({ transaction, hash: hashOf(compact) }, null, 2), {}],
      [JSON.stringify({ transaction, hash: hashOf(spaced) }, null, 2), {}],
      [spaced, { hash: hashOf(spaced) }],
      [compact, { hash: hashOf(compact) }],
    ];
    for (const [body, headers] of cases) {
      const reading = read(body, SECRET, headers);
      assert.equal(reading.kind === 'read' && reading.verified, true, body);
    }
  });

  it('counts as forged if the secret is set and the hash is missing, wrong or of another text', () => {
    const transaction = TOLD;
    const right = hashOf(JSON.stringify(TOLD));
    const bodies: unknown[] = [
      { transaction },
      { transaction, hash: '' },
      { transaction, hash: null },
      { transaction, hash: 7 },
      { transaction, hash: right.slice(1) },
      { transaction, hash: hashOf(JSON.stringify(TOLD), 'another key') },
      { transaction: { ...TOLD, status_code: 'TF' }, hash: right },
      { transaction: { ...TOLD, id: 'a'.repeat(32) }, hash: right },
    ];
    for (const body of bodies) {
      assert.equal(read(JSON.stringify(body), SECRET).kind, 'forged', JSON.stringify(body));
    }
  });

  it('that cannot be read is reported as unreadable, and never throws', () => {
    const bodies = [
      '',
      'null',
      '[]',
      '{}',
      '{"transaction":[]}',
      '{"transaction":{"id":7}}',
      '<x/>',
    ];
    const deep = `{"transaction":{"id":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`;
    for (const body of [...bodies, deep, '{"transaction":{"id":"PO01J8ABCDEF"}}']) {
      assert.equal(read(body).kind, 'unreadable', body.slice(0, 80));
      assert.notEqual(read(body, SECRET).kind, 'read', body.slice(0, 80));
    }
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 500 }),
        fc.option(fc.string(), { nil: undefined }),
        (bytes, secret) => {
          const callback = { method: 'POST', path: '/', headers: {}, body: Buffer.from(bytes) };
          const options = { callbackSecret: secret, readsTexts: true, country: 'zm' } as const;
          assert.equal(readCallback(callback, options).kind, 'unreadable');
        },
      ),
    );
  });
});
