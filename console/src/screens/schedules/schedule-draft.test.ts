import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { beginDraft, EMPTY_ROW, missingIn, operatorOf, toBody } from './schedule-draft.ts';

describe('the operator of a number', () => {
  it('is read from every way to write the number', () => {
    for (const phone of ['0977433571', '+260 97 743 3571', '260977433571', '00260977433571']) {
      assert.equal(operatorOf(phone, 'zm'), 'airtel', phone);
    }
    assert.equal(operatorOf('0967782910', 'zm'), 'mtn');
    assert.equal(operatorOf('0', 'zm'), '');
  });
});

describe('a row of a schedule', () => {
  const given = { walletId: 'w', country: 'zm' };
  const draftOf = (row: Readonly<{ phone: string; operator: string }>) => ({
    ...beginDraft(undefined),
    name: 'Rent',
    rows: [{ ...EMPTY_ROW, amount: '5', ...row }],
  });
  const operatorsOf = (row: Parameters<typeof draftOf>[0]) =>
    toBody(draftOf(row), given).rows?.map(({ operator }) => operator);

  it('is paid by the operator of its number while none was chosen', () => {
    assert.deepEqual(operatorsOf({ phone: '0977433571', operator: '' }), ['airtel']);
    assert.deepEqual(operatorsOf({ phone: '0967782910', operator: '' }), ['mtn']);
    assert.equal(missingIn(draftOf({ phone: '0967782910', operator: '' }), 'zm'), undefined);
  });

  it('keeps the operator that was chosen, whatever the number says', () => {
    assert.deepEqual(operatorsOf({ phone: '0977433571', operator: 'mtn' }), ['mtn']);
  });

  it('has none when neither says one', () => {
    assert.notEqual(missingIn(draftOf({ phone: '12', operator: '' }), 'zm'), undefined);
  });
});
