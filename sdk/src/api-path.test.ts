import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiPath, apiQuery } from './api-path.ts';

describe('apiPath', () => {
  it('encodes every value', () => {
    assert.equal(apiPath`transfers/${'a/b?c#d'}/history`, 'transfers/a%2Fb%3Fc%23d/history');
    assert.equal(apiPath`wallets/${'x'}/${'y'}`, 'wallets/x/y');
  });

  it('refuses what would lead to another path', () => {
    for (const id of ['', '.', '..']) {
      assert.throws(() => apiPath`transfers/${id}`, { code: 'INVALID_ARGUMENT' }, id);
    }
    const notText = [undefined] as unknown as [string];
    assert.throws(() => apiPath`transfers/${notText[0]}`, { code: 'INVALID_ARGUMENT' });
  });
});

describe('apiQuery', () => {
  it('leaves out what is absent, encodes the rest, and writes dates in UTC', () => {
    assert.equal(apiQuery({ a: undefined, b: null }), '');
    const query = apiQuery({ phone: '+260 97', limit: 5, from: new Date(0), cursor: undefined });
    assert.equal(apiQuery({ reference: ['a', 'b.1'] }), '?reference=a%2Cb.1');
    assert.equal(query, '?phone=%2B260+97&limit=5&from=1970-01-01T00%3A00%3A00.000Z');
  });

  it('puts the keys of an object into brackets', () => {
    const query = apiQuery({ metadata: { 'a.b': 'x&y' }, limit: 1 });
    assert.equal(query, '?metadata%5Ba.b%5D=x%26y&limit=1');
  });

  it('refuses a date that is none', () => {
    assert.throws(() => apiQuery({ from: new Date('soon') }), { code: 'INVALID_ARGUMENT' });
  });
});
