import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import {
  type Answer,
  assertRefused,
  brokenFields,
  type Fields,
  readTransfer,
} from './api-client.ts';
import { newReference, openContract, TRANSFERS } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { api, order, merchant } = contract;
/** Holds more than the largest amount twice. */
const richWallet = await merchant.createWallet({ fundedMinor: 300_000_000_000n });

/** Writes the text of the amount into the body, as no serialiser would. */
function postAmount(amount: string, changes: Fields = {}): Promise<Answer> {
  const { amount: _, ...others } = order({ walletId: richWallet, ...changes });
  return api.post(TRANSFERS, `{"amount":${amount},${JSON.stringify(others).slice(1)}`);
}

async function assertFieldRefused(field: string, value: unknown, codes: readonly string[]) {
  const answer = await api.post(TRANSFERS, order({ [field]: value }));
  const shown = JSON.stringify(value);
  assertRefused(answer, 400, 'VALIDATION_ERROR', `${field} ${shown}`);
  const broken = brokenFields(answer);
  assert.deepEqual(Object.keys(broken), [field], `${shown} ${answer.text}`);
  assert.ok(codes.includes(broken[field] ?? ''), `${shown} ${answer.text}`);
}

async function assertTaken(changes: Fields): Promise<ReturnType<typeof readTransfer>> {
  const answer = await api.post(TRANSFERS, order(changes));
  assert.equal(answer.status, 201, `${JSON.stringify(changes)} ${answer.text}`);
  return readTransfer(answer.data);
}

const exactAmounts: Readonly<Record<string, number>> = {
  '0.01': 0.01,
  '0.1': 0.1,
  '1': 1,
  '1.10': 1.1,
  '1.00': 1,
  '1.000': 1,
  '10.010': 10.01,
  '100000e-3': 100,
  '1e2': 100,
  '1E2': 100,
  '1e+2': 100,
  '1.5e1': 15,
  '19.99': 19.99,
  '4.35': 4.35,
  '1000000000': 1_000_000_000,
  '1000000000.00': 1_000_000_000,
  '1e9': 1_000_000_000,
  '999999999.99': 999_999_999.99,
};

it('reads amounts exactly', async () => {
  const walletId = await merchant.createWallet({ fundedMinor: 500_000_000_000n });
  for (const [text, amount] of Object.entries(exactAmounts)) {
    const answer = await postAmount(text, { walletId });
    assert.equal(answer.status, 201, `${text} ${answer.text}`);
    assert.equal(readTransfer(answer.data).amount, amount, text);
  }
  // 1 and 1.00 were both held as 1.00, to the cent.
  const { data } = await api.get(`wallets/${walletId}/postings?limit=100`);
  assert.ok(Array.isArray(data.items));
  const held = data.items.filter(({ kind }: Fields) => kind === 'hold').length;
  assert.equal(held, Object.keys(exactAmounts).length);
});

const refusedAmounts = {
  tooSmall: ['0', '0.0', '-0', '0.00', '-1', '-0.01', '-1e400'],
  tooLarge: ['1000000000.01', '1000000001', '1e10', '1e400', '9007199254740993', '1e999999999999'],
  tooFine: ['0.001', '0.009', '1.005', '1e-3', '1e-400', '10.001', '10.0010', '1000000000.001'],
  tooFineForADouble: [
    '0.010000000000000000001',
    '1.0000000000000000000001',
    '0.1000000000000000000001',
    '0.0099999999999999999',
  ],
  long: [`1${'0'.repeat(1_000)}`, `0.${'0'.repeat(1_000)}1`],
  noNumber: ['"1"', '"0.01"', '""', 'true', '[1]', '{"value":1}'],
};

it('refuses amounts that are too small, too large, too precise, or not a number', async () => {
  for (const text of Object.values(refusedAmounts).flat()) {
    const answer = await postAmount(text);
    const shown = text.slice(0, 40);
    assertRefused(answer, 400, 'VALIDATION_ERROR', shown);
    assert.deepEqual(brokenFields(answer), { amount: 'INVALID_AMOUNT' }, shown);
  }
});

it('refuses null where a value is required', async () => {
  const codes: Readonly<Record<string, string>> = {
    amount: 'INVALID_AMOUNT',
    reference: 'INVALID_REFERENCE',
    phone: 'INVALID_PHONE',
    operator: 'INVALID_OPERATOR',
    country: 'INVALID_COUNTRY',
    walletId: 'INVALID_WALLET_ID',
  };
  for (const [field, code] of Object.entries(codes)) {
    await assertFieldRefused(field, null, ['REQUIRED', code]);
  }
});

it('refuses numbers that are not valid JSON', async () => {
  for (const text of ['01', '.5', '1.', '+1', 'NaN', 'Infinity', '0x10', '1_000', '1,5', '--1']) {
    assertRefused(await postAmount(text), 400, 'INVALID_JSON', text);
  }
});

it('accepts every reference that the pattern allows, and finds it again', async () => {
  const longest = 'L'.repeat(100);
  for (const reference of ['a', '.', '..', '...', '-', '_', '0', 'A.b_C-1', '-danger', longest]) {
    const { id } = await assertTaken({ reference });
    const encoded = reference.replaceAll('.', '%2E');
    const answer = await api.get(`transfers/status/${encoded}`);
    assert.equal(answer.status, 200, `${reference} ${answer.text}`);
    assert.equal(readTransfer(answer.data).id, id);
    const { data } = await api.get(`transfers?reference=${encoded}`);
    assert.ok(Array.isArray(data.items) && data.items.length === 1, reference);
  }
});

it('refuses every other reference', async () => {
  const others = [
    '',
    ' ',
    'a b',
    'a\n',
    '\na',
    'a/b',
    'a%2Eb',
    'é',
    'ａ',
    'а',
    '😀',
    'a\u0000',
    'a+b',
  ];
  for (const reference of [...others, 'a#', 'L'.repeat(101), 'L'.repeat(10_000), 7, ['a']]) {
    await assertFieldRefused('reference', reference, ['INVALID_REFERENCE', 'TOO_LONG', 'REQUIRED']);
  }
});

it('distinguishes references by case', async () => {
  const reference = newReference();
  const lower = await assertTaken({ reference });
  const upper = await assertTaken({ reference: reference.toUpperCase() });
  assert.notEqual(lower.id, upper.id);
  const found = await api.get(`transfers/status/${reference.toUpperCase()}`);
  assert.equal(readTransfer(found.data).id, upper.id);
});

const spellings = {
  '+260977433571': {
    national: ['0977433571', '977433571', '097 743 3571', '097-743-3571', '(097) 743 3571'],
    international: ['260977433571', '+260977433571', '+260 97 743-3571', '00260977433571'],
  },
  '+2348031234567': {
    national: ['08031234567', '8031234567', '0803-123-4567'],
    international: ['2348031234567', '+2348031234567', '+234 803 123 4567', '002348031234567'],
  },
};

it('accepts every spelling of a mobile number of the country, and shows E.164', async () => {
  const nigeria = { country: 'ng', operator: 'mtn', walletId: merchant.wallets.test.NGN };
  for (const [shown, { national, international }] of Object.entries(spellings)) {
    for (const phone of [...national, ...international]) {
      const transfer = await assertTaken({ ...(shown.startsWith('+234') ? nigeria : {}), phone });
      assert.equal(transfer.phone, shown, phone);
    }
  }
});

it('accepts a number whose prefix belongs to another operator', async () => {
  for (const operator of ['airtel', 'mtn', 'zamtel', 'vodacom']) {
    for (const phone of ['0977433571', '0966433571', '0955433571']) {
      assert.equal((await assertTaken({ phone, operator })).operator, operator);
    }
  }
});

const refusedPhones = {
  length: [
    '',
    ' ',
    '+',
    '0',
    '260',
    '097743357',
    '09774335711',
    '+2609774335711',
    '9'.repeat(5_000),
  ],
  landline: ['0211221234', '+260211221234'],
  otherCountry: ['+2348031234567', '2348031234567', '08031234567', '+27821234567', '+12025550123'],
  letters: ['097743357a', '0977FLOWER', 'O977433571', "0977433571'--"],
  moreThanOne: ['0977433571 ext 5', '0977433571;ext=5', '0977433571,0966433571', '+260+977433571'],
  otherDigits: ['０９７７４３３５７１', '+２６０977433571', '٠٩٧٧٤٣٣٥٧١'],
  otherSigns: ['0977\u00a0433571', '0977\u2011433571', '\u202a0977433571', '0977433571\u0000'],
  noText: [977_433_571, ['0977433571'], true],
};

it('refuses other countries, landlines, letters and digits that are not ASCII', async () => {
  for (const phone of Object.values(refusedPhones).flat(1)) {
    await assertFieldRefused('phone', phone, ['INVALID_PHONE', 'TOO_LONG', 'REQUIRED']);
  }
});

it('accepts only the listed words of operator and country, in lower case', async () => {
  for (const operator of [
    'MTN',
    'Airtel',
    'mtn ',
    ' mtn',
    'tigo',
    '',
    1,
    'toString',
    '__proto__',
  ]) {
    await assertFieldRefused('operator', operator, ['INVALID_OPERATOR', 'REQUIRED']);
  }
  for (const country of ['ZM', 'Zm', 'zm ', 'za', 'zmb', '', 260, 'constructor']) {
    await assertFieldRefused('country', country, ['INVALID_COUNTRY', 'REQUIRED']);
  }
});

it('accepts all eight pairs of operator and country', async () => {
  for (const operator of ['airtel', 'mtn', 'zamtel', 'vodacom']) {
    assert.equal((await assertTaken({ operator })).country, 'zm');
    const nigeria = { country: 'ng', phone: '08031234567', walletId: merchant.wallets.test.NGN };
    assert.equal((await assertTaken({ operator, ...nigeria })).currency, 'NGN');
  }
});

it('accepts a wallet id in any case, and only as 8-4-4-4-12 hex', async () => {
  const walletId = merchant.wallets.test.ZMW;
  assert.equal((await assertTaken({ walletId: walletId.toUpperCase() })).walletId, walletId);
  const bare = walletId.replaceAll('-', '');
  const forms = [bare, `{${walletId}}`, `urn:uuid:${walletId}`, `${walletId} `, walletId.slice(1)];
  for (const form of [...forms, `${bare.slice(0, 4)}-${bare.slice(4)}`, 'g'.repeat(36), '', 7]) {
    await assertFieldRefused('walletId', form, ['INVALID_WALLET_ID', 'REQUIRED']);
  }
});

it('refuses unknown wallets, wallets of another currency and frozen wallets', async () => {
  const unknown = await api.post(TRANSFERS, order({ walletId: randomUUID() }));
  assertRefused(unknown, 404, 'WALLET_NOT_FOUND');
  const mismatch = await api.post(TRANSFERS, order({ walletId: merchant.wallets.test.NGN }));
  assertRefused(mismatch, 422, 'CURRENCY_MISMATCH');
  const walletId = await merchant.createWallet({});
  await contract.database.query(
    { name: '', text: `update wallets set status = 'frozen' where id = $1` },
    [walletId],
  );
  assertRefused(await api.post(TRANSFERS, order({ walletId })), 422, 'WALLET_INACTIVE');
});
