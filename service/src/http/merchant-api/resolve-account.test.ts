import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { callRoute, refusalOf } from '../../../test/api-request.ts';
import { sandboxRoutes } from '../../../test/name-operator.ts';
import type { Book } from '../../domain/book.ts';
import { resolveAccountRoute } from './resolve-account.ts';

const BODY = { phone: '0977423571', operator: 'mtn', country: 'zm' };
const book: Book = {
  id: randomUUID(),
  merchantId: randomUUID(),
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
};
const resolve = resolveAccountRoute({ routes: sandboxRoutes(() => new Date()) });

describe('POST resolve/mobile-money', () => {
  it('gives the name, and is limited apart', async () => {
    const { status, message, data, unserialised } = await callRoute(resolve, { book, body: BODY });
    assert.deepEqual([status, message], [200, 'Account resolved']);
    assert.deepEqual(data, {
      phone: '+260977423571',
      accountName: 'Joseph Mwansa',
      operator: 'mtn',
      country: 'zm',
    });
    assert.deepEqual(data, unserialised);
    assert.deepEqual(resolve.rateLimit, { perSecond: 20, burst: 60 });
  });

  it('refuses what is no account of an operator, and names what it does not know', async () => {
    const body = { ...BODY, phone: 'x', accountName: 'Joseph' };
    const { fields } = await refusalOf(callRoute(resolve, { book, body }));
    assert.deepEqual(fields, ['accountName UNKNOWN_FIELD', 'phone INVALID_PHONE']);
  });
});
