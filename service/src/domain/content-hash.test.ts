import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { hashContent } from './content-hash.ts';

const ORDER = {
  bookId: '019a0000-0000-7000-8000-000000000001',
  id: '019a0000-0000-7000-8000-000000000002',
  reference: 'salary-1',
  amountMinor: 2_550n,
  feeMinor: 50n,
  currency: 'ZMW',
  phone: '+260977433571',
  operator: 'airtel',
  country: 'zm',
  walletId: '019a0000-0000-7000-8000-000000000003',
  narration: null,
  recipientName: 'Mutale',
  metadata: { b: '2', a: '1' },
  sendAt: new Date('2026-12-24T06:00:00Z'),
} as const;

describe('the content hash', () => {
  it('is the SHA-256 of JSON with sorted keys', () => {
    const text =
      '{"amountMinor":"2550","bookId":"019a0000-0000-7000-8000-000000000001","country":"zm","currency":"ZMW",' +
      '"feeMinor":"50","id":"019a0000-0000-7000-8000-000000000002","metadata":{"a":"1","b":"2"},"narration":null,' +
      '"operator":"airtel","phone":"+260977433571","recipientName":"Mutale","reference":"salary-1",' +
      '"sendAt":"2026-12-24T06:00:00.000Z","walletId":"019a0000-0000-7000-8000-000000000003"}';
    assert.equal(hashContent(ORDER), createHash('sha256').update(text).digest('hex'));
  });

  it('is another one when anything that is paid changes', () => {
    const changes = [
      { amountMinor: 2_551n },
      { feeMinor: 51n },
      { phone: '+260977433572' },
      { operator: 'mtn' },
      { narration: '' },
      { recipientName: null },
      { metadata: null },
      { sendAt: null },
      { reference: 'salary-2' },
    ] as const;
    const hashes = changes.map((change) => hashContent({ ...ORDER, ...change }));
    assert.equal(new Set([hashContent(ORDER), ...hashes]).size, changes.length + 1);
  });
});
