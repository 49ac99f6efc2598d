import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { namingRoutes, sandboxRoutes } from '../../../test/name-operator.ts';
import type { Book } from '../../domain/book.ts';
import { listOperatorsOperation } from './list-operators.ts';

const book: Book = {
  id: randomUUID(),
  merchantId: randomUUID(),
  mode: 'test',
  feeTerms: { fixedMinor: 50n, basisPoints: 125 },
  isSuspended: false,
  controlsVersion: null,
};
type Item = { operator: string; country: string; available: boolean };

it('lists all eight pairs, all available in a test book', async () => {
  const route = listOperatorsOperation({ routes: sandboxRoutes(() => new Date()) });
  const { data, unserialised } = await callOperation(route, { book });
  assert.deepEqual(data, unserialised);
  const { items } = data as { items: Item[] };
  assert.equal(new Set(items.map(({ operator, country }) => operator + country)).size, 8);
  assert.ok(items.every(({ available }) => available));
  assert.deepEqual(items[0], {
    operator: 'airtel',
    country: 'zm',
    currency: 'ZMW',
    available: true,
    min: 0.01,
    max: 1_000_000_000,
    decimals: 2,
    fee: { fixed: 0.5, basisPoints: 125 },
    health: 'up',
  });
});

it('shows in a live book which pairs have a route, and nulls for the others', async () => {
  const route = listOperatorsOperation({ routes: namingRoutes(async () => assert.fail('asked')) });
  const { data } = await callOperation(route, { book: { ...book, mode: 'live' } });
  const { items } = data as { items: Item[] };
  const available = items.filter((item) => item.available);
  assert.deepEqual(
    available.map(({ operator, country }) => [operator, country]),
    [['mtn', 'zm']],
  );
  assert.deepEqual(items[0], {
    operator: 'airtel',
    country: 'zm',
    currency: 'ZMW',
    available: false,
    min: null,
    max: null,
    decimals: 2,
    fee: { fixed: 0.5, basisPoints: 125 },
    health: 'unknown',
  });
});

it('refuses filters, because it has none', async () => {
  const route = listOperatorsOperation({ routes: sandboxRoutes(() => new Date()) });
  const { fields } = await refusalOf(callOperation(route, { book, query: 'country=zm' }));
  assert.deepEqual(fields, ['country UNKNOWN_FIELD']);
});
