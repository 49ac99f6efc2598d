import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quote } from './quote-cell.ts';

it('a cell of the export never begins a formula, and keeps commas, quotes and lines', () => {
  assert.equal(quote('=HYPERLINK("http://x")'), `"'=HYPERLINK(""http://x"")"`);
  assert.equal(quote('+260977433571'), "'+260977433571");
  assert.equal(quote('@sum'), "'@sum");
  assert.equal(quote('paid, twice\nsaid "no"'), '"paid, twice\nsaid ""no"""');
  assert.equal(quote('plain'), 'plain');
});
