import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import type { CallbackReading } from '../contract/connector.ts';
import { readMtnCallback } from './callback.ts';

const REFERENCE = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10';
const OTHER = '7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a11';

function read(body: unknown, method: string = 'PUT'): CallbackReading {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const callback = { method, path: '/hook', headers: {}, body: Buffer.from(text) };
  return readMtnCallback(callback, { currency: null });
}

it('reads what a callback claims, by PUT and by POST, and marks none as verified', () => {
  const claims = {
    SUCCESSFUL: 'paid',
    FAILED: 'failed',
    PENDING: 'pending',
    NEW: 'unknown',
  } as const;
  for (const [status, claim] of Object.entries(claims)) {
    for (const method of ['PUT', 'POST']) {
      assert.deepEqual(read({ externalId: REFERENCE, status }, method), {
        kind: 'read',
        operatorReference: REFERENCE,
        claims: claim,
        verified: false,
      });
    }
  }
  assert.equal(read({ externalId: REFERENCE, status: 'SUCCESSFUL' }, 'GET').kind, 'unreadable');
});

it("reports amount and number, but not the sandbox's fixed currency", () => {
  const reported = { amount: '26.71', currency: 'EUR', payee: { partyId: '260966123456' } };
  const body = Buffer.from(
    JSON.stringify({ externalId: REFERENCE, status: 'SUCCESSFUL', ...reported }),
  );
  const callback = { method: 'PUT', path: '/hook', headers: {}, body };
  const reportedWith = (currency: string | null) => {
    const reading = readMtnCallback(callback, { currency });
    return reading.kind === 'read' ? reading.reported : undefined;
  };
  const paid = { amountMinor: 2_671n, phone: '+260966123456' };
  assert.deepEqual(reportedWith(null), { ...paid, currency: 'EUR' });
  assert.deepEqual(reportedWith('EUR'), { ...paid, currency: null });
});

it('finds our reference in externalId or in referenceId', () => {
  for (const ids of [
    { externalId: REFERENCE },
    { referenceId: REFERENCE },
    { externalId: 'order 7', referenceId: REFERENCE.toUpperCase() },
    { externalId: REFERENCE, referenceId: REFERENCE },
  ]) {
    const reading = read({ ...ids, status: 'FAILED' });
    assert.equal(reading.kind === 'read' && reading.operatorReference, REFERENCE);
  }
  assert.equal(read({ externalId: REFERENCE, referenceId: OTHER }).kind, 'unreadable');
});

it('reads a failure with a reason of any shape', () => {
  for (const reason of ['EXPIRED', { code: 'EXPIRED', message: 'x' }, null, 7]) {
    const reading = read({ externalId: REFERENCE, status: 'FAILED', reason });
    assert.equal(reading.kind === 'read' && reading.claims, 'failed');
  }
});

it('reports anything else as unreadable', () => {
  for (const body of ['', '<html>', '[]', '"x"', { status: 'SUCCESSFUL' }, { externalId: 5 }]) {
    assert.equal(read(body).kind, 'unreadable', JSON.stringify(body));
  }
});

it('never throws, and never names a reference that is not one', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.string(), (text, method) => {
      const reading = read(text, method);
      if (reading.kind === 'read') assert.match(reading.operatorReference, /^[0-9a-f-]{36}$/);
    }),
  );
});
