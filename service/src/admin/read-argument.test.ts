import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAmount, readCurrency, readDuration, readLimit, readMode } from './read-argument.ts';

describe('arguments', () => {
  it('are times in minutes, hours and days', () => {
    assert.equal(readDuration('30m'), 1_800_000);
    assert.equal(readDuration('24h'), 86_400_000);
    assert.equal(readDuration('3650d'), 3_650 * 86_400_000);
    for (const text of ['', '0d', '90', 'd', '-1d', '1.5h', '3651d', '1 d', '24H', '9999999d']) {
      assert.throws(() => readDuration(text), /like 30m, 24h or 90d/, text);
    }
  });

  it('are amounts as people type them', () => {
    assert.equal(readAmount('1000.5'), 100_050n);
    for (const text of ['0', '-1', '1,000', '1e3', '0.001', '', 'x']) {
      assert.throws(() => readAmount(text), /like 1000\.50/, text);
    }
    assert.equal(readLimit('none'), null);
    assert.equal(readLimit('5'), 500n);
  });

  it('are known modes and currencies', () => {
    assert.equal(readMode('live'), 'live');
    assert.throws(() => readMode('prod'), /test or live/);
    assert.equal(readCurrency('zmw'), 'ZMW');
    assert.throws(() => readCurrency('USD'), /ZMW, NGN/);
  });
});
