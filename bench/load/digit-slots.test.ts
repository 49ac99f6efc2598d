import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DigitSlots } from './digit-slots.ts';

it('gives every slot its own number and changes nothing else', () => {
  const bytes = Buffer.from('{"a":"ref-0000","b":"ref-9999","c":"other-1234"}');
  const slots = new DigitSlots(bytes, 'ref-', 4);
  let number = 41;
  const next = () => {
    number += 1;
    return number;
  };
  slots.fill(next);
  assert.equal(bytes.toString(), '{"a":"ref-0042","b":"ref-0043","c":"other-1234"}');
  slots.fill(next);
  assert.equal(bytes.toString(), '{"a":"ref-0044","b":"ref-0045","c":"other-1234"}');
});
