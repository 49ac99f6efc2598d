import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hideNumber } from './hide-number.ts';

const hide = hideNumber('+260977433571');

describe('the number of a recipient', () => {
  it('is masked however an operator spells it', () => {
    for (const spelling of [
      '+260977433571',
      '260977433571',
      '0977433571',
      '977433571',
      '+260 97 743-3571',
      '(097) 7433571',
    ]) {
      const hidden = hide(`{"to":"${spelling}"}`);
      assert.ok(!hidden.includes('743'), hidden);
      assert.match(hidden, /\*\*\*\*571"/);
    }
  });

  it('is the only one: a receipt stays readable', () => {
    assert.equal(hide('MP241115.1032.A77 977433572'), 'MP241115.1032.A77 977433572');
  });
});
