import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAmountCell } from '../../../service/src/domain/payout-file/read-amount-cell.ts';
import { amounts } from '../texts/en/amounts.ts';
import { readAmount, readFee } from './read-amount.ts';

describe('a typed amount', () => {
  it('may have commas or blanks between whole groups of three', () => {
    const meanings = {
      '1250': '1250.00',
      ' 1250.5 ': '1250.50',
      '1,250': '1250.00',
      '1,250.00': '1250.00',
      '1 250 000.05': '1250000.05',
      '1\u00a0250': '1250.00',
      '0050': '50.00',
    };
    for (const [text, amount] of Object.entries(meanings)) {
      assert.deepEqual(readAmount(text), { amount }, text);
    }
  });

  it('is refused with what to write where it can be read in two ways', () => {
    for (const text of ['12,50', '1,5', '1500,50', '1.250', '1.250,50']) {
      assert.deepEqual(readAmount(text), { problem: amounts.twoWays }, text);
    }
  });

  it('is refused where a zero stands before the thousands: 0,500 is a half elsewhere', () => {
    for (const text of ['0,500', '0,050', '0,001', '0 500', '0.500', '0.500,00', '0,500.00']) {
      assert.deepEqual(readAmount(text), { problem: amounts.twoWays }, text);
    }
  });

  it('is refused where it is no amount', () => {
    for (const text of ['0', '-5', '1,2,3', '1 250,50', '12 50', '1,25,000', 'five', 'ZMW 5']) {
      assert.deepEqual(readAmount(text), { problem: amounts.figures }, text);
    }
    assert.deepEqual(readAmount('1735.505'), { problem: amounts.decimals });
  });

  it('is no problem while nothing is typed', () => {
    assert.deepEqual(readAmount(' '), {});
  });

  it('is taken where a payout file takes it, and only there', () => {
    const texts = ['1,250', '12,50', '1.250', '1 250', '1,250,5', '1250,500', '0.5', '.5', '5.'];
    for (const text of texts) {
      const isTaken = 'amountMinor' in readAmountCell(text);
      assert.equal(readAmount(text).amount !== undefined, isTaken, text);
    }
  });
});

describe('a typed fee', () => {
  it('may be zero, and must be there', () => {
    assert.deepEqual(readFee('0'), { amount: '0.00' });
    assert.deepEqual(readFee('0.00'), { amount: '0.00' });
    assert.deepEqual(readFee('1.5'), { amount: '1.50' });
    assert.deepEqual(readFee(''), { problem: amounts.fee });
    assert.deepEqual(readFee('none'), { problem: amounts.fee });
  });

  it('is refused with a decimal comma', () => {
    assert.deepEqual(readFee('1,5'), { problem: amounts.twoWays });
    assert.deepEqual(readFee('0,50'), { problem: amounts.twoWays });
    assert.deepEqual(readFee('0,500'), { problem: amounts.twoWays });
    assert.deepEqual(readFee('0,000'), { problem: amounts.twoWays });
  });
});
