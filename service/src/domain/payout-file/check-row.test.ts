import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatMinor } from '../money.ts';
import { readAmountCurrency } from './amount-currency.ts';
import { checkRow, type RowRules } from './check-row.ts';
import { FileChecker } from './file-checker.ts';
import { readAmountCell } from './read-amount-cell.ts';
import { readPhoneCell } from './read-phone-cell.ts';
import { findTwoColumns, readHeader } from './row-fields.ts';

const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const OTHER_WALLET = '01890a5d-ac96-774b-bcce-b302099a8058';
const BOUNDS = [{ minMinor: 100n, maxMinor: 1_000_000n, wholeOnly: false }];
const RULES: RowRules = {
  ownReferences: false,
  currency: 'ZMW',
  walletId: null,
  wallets: { [WALLET]: 'ZMW', [OTHER_WALLET]: 'NGN' },
  feeTerms: { fixedMinor: 50n, basisPoints: 100 },
  bounds: {
    'airtel zm': BOUNDS,
    'mtn zm': BOUNDS,
    'mtn ng': BOUNDS,
    'zamtel zm': [{ minMinor: 100n, maxMinor: 1_000n, wholeOnly: true }],
  },
};
const codesOf = (texts: Parameters<typeof checkRow>[0], rules = RULES) =>
  checkRow(texts, rules).problems.map(({ field, code }) => `${field} ${code}`);

describe('the cell of an amount', () => {
  it('is read as people write it', () => {
    const meanings = {
      '1250': ['1250.00', null],
      '1250.5': ['1250.50', null],
      '1,250.00': ['1250.00', null],
      '1 250 000.05': ['1250000.05', null],
      '1\u00a0250': ['1250.00', null],
      'K1,250': ['1250.00', 'ZMW'],
      'ZMW 99.90': ['99.90', 'ZMW'],
      'ZMK 50000': ['50000.00', 'ZMW'],
      '₦5,000': ['5000.00', 'NGN'],
      'N5,000': ['5000.00', 'NGN'],
      '12.50 ZMW': ['12.50', 'ZMW'],
      'K 12.50 kwacha': ['12.50', 'ZMW'],
      '12.50 Naira': ['12.50', 'NGN'],
      '0050': ['50.00', null],
      '7.10': ['7.10', null],
    };
    for (const [text, meant] of Object.entries(meanings)) {
      const read = readAmountCell(text);
      assert.ok('amountMinor' in read, text);
      assert.deepEqual([formatMinor(read.amountMinor), read.currency], meant, text);
    }
  });

  it('is refused with the reason where it could mean something else', () => {
    const reasons = {
      '1.250': 'AMBIGUOUS_AMOUNT',
      '1.250,50': 'AMBIGUOUS_AMOUNT',
      '1250,5': 'AMBIGUOUS_AMOUNT',
      '0,500': 'AMBIGUOUS_AMOUNT',
      '0 500': 'AMBIGUOUS_AMOUNT',
      '0\u00a0500': 'AMBIGUOUS_AMOUNT',
      '0.500': 'AMBIGUOUS_AMOUNT',
      'K 0,050.00': 'AMBIGUOUS_AMOUNT',
      '012,500': 'AMBIGUOUS_AMOUNT',
      '1735.505': 'TOO_MANY_DECIMALS',
      '1,735.505': 'TOO_MANY_DECIMALS',
      '1.25E+06': 'DIGITS_LOST',
      '-5': 'INVALID_AMOUNT',
      '(5.00)': 'INVALID_AMOUNT',
      '0': 'INVALID_AMOUNT',
      '1,25,000': 'INVALID_AMOUNT',
      '10000000000': 'INVALID_AMOUNT',
      '2023-03-15': 'INVALID_AMOUNT',
      '5 USD': 'INVALID_AMOUNT',
      'K5 NGN': 'INVALID_AMOUNT',
      '#N/A': 'INVALID_AMOUNT',
      five: 'INVALID_AMOUNT',
    };
    for (const [text, reason] of Object.entries(reasons)) {
      assert.deepEqual(readAmountCell(text), { problem: reason }, text);
    }
  });

  it('may have its decimals behind a comma in a file of a place that writes them so', () => {
    const inFile = (text: string) => readAmountCell(text, { hasDecimalCommas: true });
    for (const text of ['250,125', '1,250', 'K 12,500', '1,250,000', '1,250 kwacha']) {
      assert.ok('amountMinor' in readAmountCell(text), text);
      assert.deepEqual(inFile(text), { problem: 'AMBIGUOUS_AMOUNT' }, text);
    }
    for (const text of ['1,250.00', '1 250', '1250', '1250.50']) {
      assert.deepEqual(inFile(text), readAmountCell(text), text);
    }
  });

  it('never means another amount than was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 100_000_000_000n }), (amountMinor) => {
        const text = formatMinor(amountMinor);
        const [whole = '', fraction = ''] = text.split('.');
        const grouped = `${whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')}.${fraction}`;
        assert.deepEqual(readAmountCell(text), { amountMinor, currency: null });
        assert.deepEqual(readAmountCell(`K ${grouped}`), { amountMinor, currency: 'ZMW' });
      }),
    );
  });
});

describe('the cell of a number', () => {
  it('is read as people and spreadsheets write it', () => {
    const spellings = [
      '0977433571',
      "'0977433571",
      '977433571',
      '260977433571',
      '+260 97 743-3571',
      '2.60977433571E+11',
      '2.60977433571e11',
      '260977433571.0',
      '097\u00a0743\u00a03571',
      'tel:+260977433571',
    ];
    for (const text of spellings) {
      assert.deepEqual(
        readPhoneCell(text, ['zm']),
        { phone: '+260977433571', country: 'zm' },
        text,
      );
    }
  });

  it('is refused where digits are lost, and where it is of another country', () => {
    assert.deepEqual(readPhoneCell('2.60977E+11', ['zm']), { problem: 'DIGITS_LOST' });
    assert.deepEqual(readPhoneCell('9.77433571E+11', ['zm']), { problem: 'DIGITS_LOST' });
    assert.deepEqual(readPhoneCell('08031234567', ['zm']), { problem: 'OTHER_CURRENCY' });
    assert.deepEqual(readPhoneCell('0211254880', ['zm']), { problem: 'INVALID_PHONE' });
    assert.deepEqual(readPhoneCell('08031234567', ['zm', 'ng']), {
      phone: '+2348031234567',
      country: 'ng',
    });
  });
});

describe('a row', () => {
  it('is understood whole, and its operator predicted', () => {
    const row = checkRow(
      { phone: '0977433571', amount: '100', name: ' Chanda ', narration: 'Pay' },
      RULES,
    );
    assert.deepEqual(row, {
      phone: '+260977433571',
      operator: 'airtel',
      operatorPredicted: true,
      country: 'zm',
      currency: 'ZMW',
      amountMinor: 10_000n,
      feeMinor: 150n,
      recipientName: 'Chanda',
      narration: 'Pay',
      givenReference: null,
      walletId: null,
      problems: [],
      warnings: [],
    });
  });

  it('has every problem at once', () => {
    assert.deepEqual(
      codesOf({
        amount: 'x',
        operator: 'orange',
        country: 'ke',
        name: 'x'.repeat(101),
        narration: 'a\u202eb',
        walletId: 'w',
      }),
      [
        'amount INVALID_AMOUNT',
        'country INVALID_COUNTRY',
        'phone REQUIRED',
        'operator INVALID_OPERATOR',
        'name TOO_LONG',
        'narration INVALID_TEXT',
        'walletId INVALID_WALLET_ID',
      ],
    );
  });

  it('has no country and no operator that only every object has', () => {
    for (const word of ['constructor', 'valueOf', '__proto__', 'toString']) {
      const given = { phone: '0977433571', amount: '5' };
      assert.deepEqual(codesOf({ ...given, country: word }), ['country INVALID_COUNTRY'], word);
      assert.deepEqual(codesOf({ ...given, operator: word }), ['operator INVALID_OPERATOR'], word);
    }
  });

  it('whose amount a comma may have cut is a problem', () => {
    const cut = { phone: '0977433571', amount: '1', name: '250', next: '250' };
    assert.deepEqual(codesOf(cut), ['amount AMOUNT_CUT']);
  });

  it('is held against the routes and their bounds', () => {
    const amount = '5.50';
    assert.deepEqual(codesOf({ phone: '0977433571', amount: '0.99' }), [
      'amount AMOUNT_OUT_OF_BOUNDS',
    ]);
    assert.deepEqual(codesOf({ phone: '0955433571', amount }), ['amount AMOUNT_OUT_OF_BOUNDS']);
    assert.deepEqual(codesOf({ phone: '0955433571', amount: '5' }), []);
    assert.deepEqual(codesOf({ phone: '0977433571', amount, operator: 'Vodacom M-Pesa' }), [
      'operator OPERATOR_NOT_AVAILABLE',
    ]);
  });

  it('of another country or wallet than the file is a problem', () => {
    assert.deepEqual(codesOf({ phone: '08031234567', amount: '5' }), ['phone OTHER_CURRENCY']);
    assert.deepEqual(codesOf({ phone: '08031234567', amount: '5', country: 'Nigeria' }), [
      'country OTHER_CURRENCY',
    ]);
    const rules = { ...RULES, walletId: WALLET };
    assert.deepEqual(codesOf({ phone: '0977433571', amount: '5', walletId: OTHER_WALLET }, rules), [
      'walletId OTHER_WALLET',
    ]);
  });

  it('whose amount is written in another currency is a problem', () => {
    const codes = (amount: string, amountCurrency: RowRules['amountCurrency'] = null) =>
      codesOf({ phone: '0977433571', amount }, { ...RULES, amountCurrency });
    const other = ['amount AMOUNT_IN_OTHER_CURRENCY'];
    assert.deepEqual(codes('NGN 5000'), other);
    assert.deepEqual(codes('₦5000'), other);
    assert.deepEqual(codes('5000', 'NGN'), other);
    assert.deepEqual(codes('5000', 'other'), other);
    // The column says one currency, the cell another.
    assert.deepEqual(codes('K5000', 'NGN'), other);
    assert.deepEqual(codes('K5000', 'ZMW'), []);
    const row = checkRow({ phone: '08031234567', amount: '₦50' }, { ...RULES, currency: null });
    assert.deepEqual([row.currency, row.amountMinor, row.problems], ['NGN', 5_000n, []]);
  });

  it('whose number began at another operator is worth a look', () => {
    const { problems, warnings } = checkRow(
      { phone: '0977433571', amount: '5', operator: 'MTN MoMo' },
      RULES,
    );
    assert.deepEqual([problems, warnings], [[], [{ code: 'OTHER_OPERATOR', field: 'operator' }]]);
  });
});

describe('the rows of a file', () => {
  const row = (texts: object) => ({ line: 1, texts, isHidden: false });

  it('warn of the same payout and reference, and name the first', () => {
    const checker = new FileChecker(RULES);
    const warned = [
      row({ phone: '0977433571', amount: '5', reference: 'a' }),
      row({ phone: '+260977433571', amount: '5.00' }),
      row({ phone: '0977433571', amount: '6', reference: 'a' }),
      { ...row({ phone: '0977433571', amount: '5' }), isHidden: true },
    ].map((one, index) =>
      checker.check(index + 1, one).warnings.map(({ code, row: other }) => [code, other]),
    );
    assert.deepEqual(warned, [
      [],
      [['SAME_IN_FILE', 1]],
      [['SAME_REFERENCE', 1]],
      [
        ['SAME_IN_FILE', 1],
        ['HIDDEN_ROW', undefined],
      ],
    ]);
  });

  it('are in the currency of the first, or of the wallet that it names', () => {
    const codes = (first: object) => {
      const checker = new FileChecker({ ...RULES, currency: null });
      checker.check(1, row(first));
      const second = checker.check(2, row({ phone: '0977433571', amount: '5' }));
      return [checker.rules.currency, second.problems.map(({ code }) => code)];
    };
    assert.deepEqual(codes({ phone: '08031234567', amount: '5' }), ['NGN', ['OTHER_CURRENCY']]);
    assert.deepEqual(codes({ phone: '0966433571', amount: '5' }), ['ZMW', []]);
    assert.deepEqual(codes({ walletId: OTHER_WALLET }), ['NGN', ['OTHER_CURRENCY']]);
  });
});

it('columns are recognised under their usual names', () => {
  const fields = (cells: readonly string[]) => readHeader(cells)?.map(({ field }) => field);
  assert.deepEqual(fields(['MSISDN', 'Amount (ZMW)', 'Full Names', 'Employee No.']), [
    'phone',
    'amount',
    'name',
    'reference',
  ]);
  assert.deepEqual(
    fields(['mobile_number', 'NET PAY', 'Network', 'Reason', 'Country Code', 'Wallet']),
    ['phone', 'amount', 'operator', 'narration', 'country', 'walletId'],
  );
  assert.deepEqual(fields(['phone', 'phone number', 'amount']), ['phone', null, 'amount']);
  assert.equal(fields(['phone', 'name']), undefined);
});

it('two columns that mean the number, or two that mean the amount, are found', () => {
  const headers = (...all: readonly string[]) => {
    const columns = readHeader(all);
    assert.ok(columns !== undefined);
    return findTwoColumns(columns);
  };
  assert.deepEqual(headers('Phone', 'Salary', 'Net pay'), {
    field: 'amount',
    headers: ['Salary', 'Net pay'],
  });
  assert.deepEqual(headers('Name', 'Account Number', 'Phone', 'Amount'), {
    field: 'phone',
    headers: ['Account Number', 'Phone'],
  });
  assert.equal(headers('Phone', 'Amount', 'Name', 'Full name', 'ID', 'Reference'), undefined);
});

it('the header of the amounts may say their currency', () => {
  const currencies = {
    Amount: null,
    'NET PAY': null,
    'Amount (ZMW)': 'ZMW',
    'Amount K': 'ZMW',
    AmountZMW: 'ZMW',
    Kwacha: 'ZMW',
    'Amount NGN': 'NGN',
    'Net pay [₦]': 'NGN',
    naira: 'NGN',
    'Amount (USD)': 'other',
    'Amount ($)': 'other',
    'Amount (ZMW or NGN)': null,
  };
  for (const [header, currency] of Object.entries(currencies)) {
    const columns = readHeader(['Phone (NGN)', header]);
    assert.ok(columns !== undefined, header);
    assert.equal(readAmountCurrency(columns), currency, header);
  }
});
