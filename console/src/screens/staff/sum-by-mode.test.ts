import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sumByMode } from './sum-by-mode.ts';

it('never adds test money to live money', () => {
  const items = [
    { mode: 'test', currency: 'ZMW', amount: '5.00' },
    { mode: 'live', currency: 'ZMW', amount: '1250.50' },
    { mode: 'live', currency: 'NGN', amount: 10 },
    { mode: 'live', currency: 'ZMW', amount: '0.50' },
  ] as const;
  assert.deepEqual(sumByMode(items), [
    {
      mode: 'live',
      sums: [
        { currency: 'ZMW', sum: '1251.00' },
        { currency: 'NGN', sum: '10.00' },
      ],
    },
    { mode: 'test', sums: [{ currency: 'ZMW', sum: '5.00' }] },
  ]);
});
