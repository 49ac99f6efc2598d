import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readAmount } from '../../../console/src/format/read-amount.ts';
import * as serviceMoney from '../../../service/src/domain/money.ts';
import { checkRow, type RowRules } from '../../../service/src/domain/payout-file/check-row.ts';
import { readAmountCell } from '../../../service/src/domain/payout-file/read-amount-cell.ts';
import { ROW_PROBLEMS } from '../../../service/src/domain/payout-file/row-problem.ts';
import { parsePhone } from '../../../service/src/domain/phone-number.ts';
import { checkPlainText } from '../../../service/src/domain/plain-text.ts';
import { readTable } from '../../../service/src/payout-files/reading/read-table.ts';
import { payoutOf } from '../../test/fake-kafue.ts';
import { writeRows } from '../pay/upload-files.ts';
import {
  explainAmount,
  formatMinor,
  formatMoney,
  fromJsonNumber,
  parseAmount,
  parseBalance,
} from './amount.ts';
import { checkPayout } from './check-payout.ts';
import { nationalNumber } from './phone-shape.ts';

const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const DEFAULTS = { operator: 'mtn', country: 'zm', walletIds: { zm: WALLET } } as const;

describe('the amount', () => {
  it('without separators is taken exactly where the service takes it', () => {
    const anyText = fc.oneof(
      fc.stringMatching(/^[0-9]{1,11}(\.[0-9]{0,3})?$/),
      fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', 'e', "'"), maxLength: 6 }),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(parseAmount(text), serviceMoney.parseDecimal(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('may have one kind of separator between thousands, and means the same', () => {
    const anyMinor = fc.bigInt({ min: 1n, max: 100_000_000_000n });
    const anySeparator = fc.constantFrom(',', ' ', '\u00a0', '\u202f');
    fc.assert(
      fc.property(anyMinor, anySeparator, (minor, separator) => {
        assert.equal(parseAmount(formatMoney(minor).replaceAll(',', separator)), minor);
      }),
      { numRuns: 1_000 },
    );
    assert.equal(parseAmount('1,250'), 125_000n);
  });

  it('is refused where it could mean something else, with what to write instead', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      '1,25': /^Write 1\.25: a dot stands before the decimals/,
      '1250,00': /^Write 1250\.00: /,
      '1.250,00': /^Write 1250\.00: /,
      '1.234.567,89': /^Write 1234567\.89: /,
      '1.250': /two ways\. Write 1250 or 1\.25\.$/,
      '1.234': /two ways\. Write 1234\.$/,
      '1.234.567': /Write 1234567\.$/,
      '1,2500': /a comma only between thousands/,
      '12,50.00': /a comma only between thousands/,
      '1,250 000': /a comma only between thousands/,
      '1250.505': /at most 2 decimals/,
      '-5': /never negative/,
      K1250: /without the currency/,
      'ZMW 1250.00': /without the currency/,
      '1e3': /without the currency/,
      '0': /from 0\.01 to 1000000000\.00/,
      '0.00': /from 0\.01/,
      '1000000000.01': /from 0\.01 to 1000000000\.00/,
      '1 2': /digits, and a dot/,
      '.5': /digits, and a dot/,
    };
    for (const [text, reason] of Object.entries(refused)) {
      assert.equal(parseAmount(text), undefined, text);
      assert.match(explainAmount(text), reason, text);
    }
  });

  it('is refused in the same words everywhere where a zero stands before the thousands', () => {
    for (const text of [
      '0,500',
      '0,050',
      '0 500',
      '0\u00a0500',
      '0.500',
      '0.505',
      '0.500,5',
      '012,500.00',
    ]) {
      assert.equal(parseAmount(text), undefined, text);
      assert.equal(explainAmount(text), ROW_PROBLEMS.AMBIGUOUS_AMOUNT, text);
      assert.deepEqual(readAmountCell(text), { problem: 'AMBIGUOUS_AMOUNT' }, text);
      assert.deepEqual(readAmount(text), { problem: ROW_PROBLEMS.AMBIGUOUS_AMOUNT }, text);
    }
  });

  it('never means one amount here and another in a payout file or the console', () => {
    const compare = (text: string) => {
      const here = parseAmount(text.trim());
      const cell = readAmountCell(text);
      const inFile = 'amountMinor' in cell ? cell.amountMinor : undefined;
      const typed = readAmount(text).amount;
      assert.equal(typed, inFile === undefined ? undefined : formatMinor(inFile), text);
      // Only a file and the console take zeros before the first digit and after the second decimal.
      const isTakenThereOnly = /^\s*0+[0-9]|\.[0-9]{2}0+\s*$/.test(text) && here === undefined;
      if (!isTakenThereOnly) assert.equal(here, inFile, text);
      else if (inFile !== undefined)
        assert.equal(parseAmount(withoutSpareZeros(text)), inFile, text);
    };
    for (const text of textsOf(['0', '5', ',', '.', ' '], { lengthMax: 7 })) compare(text);
    const units = fc.constantFrom('0', '1', '9', ',', '.', ' ', '000', ',500', ' 250', '.00', '.5');
    fc.assert(fc.property(fc.string({ unit: units, maxLength: 9 }), compare), { numRuns: 5_000 });
  });

  it('comes back from the service as it was, to the last digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100_000_000_000n }), (minor) => {
        assert.equal(parseAmount(formatMinor(minor)), minor);
        assert.equal(fromJsonNumber(serviceMoney.minorToNumber(minor)), minor);
      }),
      { numRuns: 3_000 },
    );
    assert.equal(fromJsonNumber(0), 0n);
    assert.throws(() => fromJsonNumber(0.001));
  });

  it('is shown to people with thousands', () => {
    assert.equal(formatMoney(123_456_700n), '1,234,567.00');
    assert.equal(formatMoney(99n), '0.99');
    assert.equal(formatMoney(-100_000n), '-1,000.00');
    assert.equal(parseBalance('1000000.00'), 100_000_000n);
    assert.equal(parseBalance('1e3'), undefined);
  });
});

function* textsOf(
  characters: readonly string[],
  { lengthMax }: Readonly<{ lengthMax: number }>,
): Generator<string> {
  if (lengthMax === 0) return;
  for (const first of characters) {
    yield first;
    for (const rest of textsOf(characters, { lengthMax: lengthMax - 1 })) yield first + rest;
  }
}

function withoutSpareZeros(text: string): string {
  return text
    .trim()
    .replace(/^0+(?=[0-9])/, '')
    .replace(/(?<=\.[0-9]{2})0+$/, '');
}

describe('the phone', () => {
  it('is never refused here when the service takes it, and spelt alike it is the same', () => {
    const anyNumber = fc.oneof(
      fc.tuple(fc.constant('zm' as const), fc.stringMatching(/^[579][5-9][0-9]{7}$/)),
      fc.tuple(fc.constant('ng' as const), fc.stringMatching(/^[789][0-2][0-9]{8}$/)),
    );
    const codes = { zm: '260', ng: '234' };
    fc.assert(
      fc.property(anyNumber, fc.nat({ max: 7 }), fc.boolean(), ([country, national], n, spaced) => {
        const code = codes[country];
        const prefixes = ['', '0', code, `+${code}`, `00${code}`, `(+${code}) `, `+${code} (0)`];
        const prefix = prefixes[n] ?? '009234';
        const end = spaced ? `${national.slice(0, 3)} ${national.slice(3)}` : national;
        const text = prefix + end;
        const e164 = parsePhone(text, country);
        if (e164 === undefined) return;
        assert.equal(`+${code}${nationalNumber(text, country)}`, e164, text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('has no digit from the .0 that spreadsheets write behind a number', () => {
    for (const text of ['97743357.0', '26097743357.0', '+26097743357.0', '097743357.00']) {
      assert.equal(nationalNumber(text, 'zm'), undefined, text);
    }
    for (const text of ['977433571.0', '0977433571.00', '260977433571.0', '0977.433.571']) {
      assert.equal(nationalNumber(text, 'zm'), '977433571', text);
    }
  });

  it('is refused where it is none', () => {
    for (const text of [
      '',
      '0977',
      '+2348031234567',
      '09774335712',
      '0977-CALL-ME',
      '٠٩٧٧٤٣٣٥٧١',
    ]) {
      assert.equal(nationalNumber(text, 'zm'), undefined, text);
    }
  });
});

describe('a line', () => {
  it('is read by the service exactly as it is here, in the file that is uploaded', async () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'é', '🙂', '"', "'", ',', ';', '\t', '=', '+', '-', ' ', '0'),
      maxLength: 12,
    });
    const text = word.map((any) => any.replaceAll('\t', '').trim()).map((any) => any || null);
    const amount = fc.bigInt({ min: 1n, max: 100_000_000_000n });
    const line = fc.record({ amountMinor: amount, narration: text, recipientName: text });
    const rules: RowRules = {
      currency: 'ZMW',
      walletId: WALLET,
      ownReferences: true,
      wallets: { [WALLET]: 'ZMW' },
      feeTerms: { fixedMinor: 0n, basisPoints: 0 },
      bounds: { 'mtn zm': [{ minMinor: 1n, maxMinor: 10n ** 12n, wholeOnly: false }] },
    };
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), async (lines) => {
        const payouts = lines.map((some, n) => ({ ...payoutOf(`-r.${n}`, n + 2), ...some }));
        const { rows } = await readTable(writeRows(payouts));
        const read = rows.map(({ texts }) => checkRow(texts, rules));
        assert.deepEqual(
          read.map((row) => [
            row.givenReference,
            row.amountMinor,
            row.phone,
            row.narration,
            row.recipientName,
            row.problems,
          ]),
          payouts.map(({ reference, amountMinor, narration, recipientName }) => [
            reference,
            amountMinor,
            '+260966433571',
            narration,
            recipientName,
            [],
          ]),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('a text', () => {
  it('is taken exactly where the service takes it', () => {
    const anyText = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', '🙂', '\u0000', '\u007f', '\u0085', '\u2028', '\u202e', '\u2066'),
        fc.constantFrom('\u200d', '\u200e', '\u061c', 'é', ' ', "'"),
        fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      ),
      minLength: 1,
      maxLength: 110,
      size: 'max',
    });
    fc.assert(
      fc.property(anyText, (narration) => {
        const cells = { amount: '1', phone: '0977433571', narration } as Record<string, string>;
        const isTaken = 'line' in checkPayout(2, (column) => cells[column], DEFAULTS);
        assert.equal(isTaken, checkPlainText(narration, { codePointsMax: 100 }) === 'ok');
      }),
      { numRuns: 2_000 },
    );
  });
});
