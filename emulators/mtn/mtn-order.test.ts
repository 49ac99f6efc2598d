import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { memberOf } from './mtn-client.ts';
import { codeOf, endOf, startForTest, transferAs } from './mtn-test-emulator.ts';

describe('MTN: a transfer', () => {
  it('is accepted with an empty 202, is pending, and then successful', async () => {
    await using mtn = await startForTest({ timeScale: 1, pendingMs: 60_000 });
    const { reference, seen } = await transferAs(mtn);
    assert.deepEqual([seen.status, seen.text, seen.contentType], [202, '', '']);
    const pending = await mtn.client.status(reference);
    assert.equal(pending.status, 200);
    assert.deepEqual(pending.json, {
      amount: '150.50',
      currency: 'ZMW',
      externalId: 'po-1',
      payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
      payerMessage: 'Payout po-1',
      payeeNote: 'Salary June',
      status: 'PENDING',
    });
    const [entry] = mtn.emulator.backend.book();
    assert.equal(entry?.ourReference, reference);
    assert.equal(entry?.amountMinor, '15050');
    assert.equal(entry?.msisdn, '260966123456');

    await using fast = await startForTest();
    const second = await transferAs(fast);
    const end = await endOf(fast, second.reference);
    assert.equal(memberOf(end, 'status'), 'SUCCESSFUL');
    const [paid] = fast.emulator.backend.book();
    assert.equal(memberOf(end, 'financialTransactionId'), paid?.operatorTransactionId);
    assert.equal(memberOf(end, 'reason'), undefined);
  });

  it('is refused with 409 under a reference that was used, in any case of letters', async () => {
    await using mtn = await startForTest();
    const { reference } = await transferAs(mtn);
    for (const again of [reference, reference.toUpperCase()]) {
      const { seen } = await transferAs(mtn, { amount: '9' }, { 'x-reference-id': again });
      assert.equal(seen.status, 409);
      assert.equal(codeOf(seen), 'RESOURCE_ALREADY_EXIST');
    }
    assert.equal(mtn.emulator.backend.book().length, 1);
  });

  it('is not found under an unused reference, with 404', async () => {
    await using mtn = await startForTest();
    const seen = await mtn.client.status(randomUUID());
    assert.equal(seen.status, 404);
    assert.equal(codeOf(seen), 'RESOURCE_NOT_FOUND');
    assert.equal((await mtn.client.status('po-1')).status, 400);
    const { reference } = await transferAs(mtn);
    const asDeposit = await mtn.client.call('GET', `/disbursement/v1_0/deposit/${reference}`);
    assert.equal(asDeposit.status, 404);
  });

  it('requires a UUID of version 4 as its reference', async () => {
    await using mtn = await startForTest();
    for (const wrong of [
      null,
      '',
      'po-1',
      '7c9b7a462a6f4f7f9d0b1e1d5b0b7a10',
      '01890a5d-ac96-774b-bcce-b302099a8057',
      '7c9b7a46-2a6f-4f7f-7d0b-1e1d5b0b7a10',
      `${randomUUID()}0`,
    ]) {
      const { seen } = await transferAs(mtn, {}, { 'x-reference-id': wrong });
      assert.equal(seen.status, 400, String(wrong));
    }
    assert.deepEqual(mtn.emulator.backend.book(), []);
  });

  it('requires JSON, and allows a body only where one is documented', async () => {
    await using mtn = await startForTest();
    const path = '/disbursement/v1_0/transfer';
    const headers = { 'x-reference-id': randomUUID(), 'content-type': 'application/json' };
    for (const body of ['', '{', '[]', 'null', '"x"']) {
      assert.equal((await mtn.client.call('POST', path, { headers, body })).status, 400);
    }
    const asText = await transferAs(mtn, {}, { 'content-type': 'text/plain' });
    assert.equal(asText.seen.status, 400);
    const withCharset = { 'content-type': 'application/json; charset=utf-8' };
    assert.equal((await transferAs(mtn, {}, withCharset)).seen.status, 202);
  });

  const payee = (partyId: unknown, partyIdType: unknown = 'MSISDN') => ({
    payee: { partyIdType, partyId },
  });
  const invalid: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'an amount that is a number': { amount: 150.5 },
    'no amount': { amount: undefined },
    'an empty amount': { amount: '' },
    'an amount of zero': { amount: '0.00' },
    'a negative amount': { amount: '-5' },
    'three decimals': { amount: '1.005' },
    'a leading zero': { amount: '01' },
    'an exponent': { amount: '1e2' },
    'a point without decimals': { amount: '5.' },
    'a currency in lower case': { currency: 'zmw' },
    'no currency': { currency: undefined },
    'an external id that is a number': { externalId: 7 },
    'an empty external id': { externalId: '' },
    'a null note': { payeeNote: null },
    'no message': { payerMessage: undefined },
    'an empty note': { payeeNote: '' },
    'a note of 129 characters': { payeeNote: 'x'.repeat(129) },
    'a message of 129 characters': { payerMessage: 'x'.repeat(129) },
    'no payee': { payee: undefined },
    'a payee that is text': { payee: '260966123456' },
    'a number with a plus': payee('+260966123456'),
    'a number with a leading zero': payee('0966123456'),
    'a number that is a number': payee(260966123456),
    'a number with letters': payee('26096612345x'),
    'an unknown type of id': payee('260966123456', 'msisdn'),
    'no type of id': payee('260966123456', null),
  };
  for (const [what, fields] of Object.entries(invalid)) {
    it(`is refused as invalid with ${what}`, async () => {
      await using mtn = await startForTest();
      const { reference, seen } = await transferAs(mtn, fields);
      assert.equal(seen.status, 400);
      assert.equal(codeOf(seen), 'VALIDATION_ERROR');
      assert.equal((await mtn.client.status(reference)).status, 404);
      assert.deepEqual(mtn.emulator.backend.book(), []);
    });
  }

  it('is refused with special characters in a text, without a code', async () => {
    await using mtn = await startForTest();
    for (const text of ["O'Brien", 'O’Brien', 'a"b', 'a<b', 'a&b', 'a\\b', 'Zoë', '😀', 'a\nb']) {
      for (const name of ['payeeNote', 'payerMessage', 'externalId']) {
        const { seen } = await transferAs(mtn, { [name]: text });
        assert.equal(seen.status, 400, text);
        assert.equal(codeOf(seen), undefined);
      }
    }
    assert.deepEqual(mtn.emulator.backend.book(), []);
  });

  it('can have notes of 128 characters, punctuation, and other kinds of payees', async () => {
    await using mtn = await startForTest();
    const fine = [
      { payeeNote: 'x'.repeat(128), payerMessage: 'Salary, June: part 1/2 (final) - no. #7.' },
      payee('jane@example.com', 'EMAIL'),
      payee('5f0b8f4e-6c1d-1a53-9d1e-2b7f6a9c3e10', 'PARTY_CODE'),
      { amount: '7', somethingNew: true },
    ];
    for (const fields of fine) assert.equal((await transferAs(mtn, fields)).seen.status, 202);
  });

  it('is refused with decimals where the market has none', async () => {
    await using mtn = await startForTest({ decimalsMax: 0 });
    assert.equal(codeOf((await transferAs(mtn, { amount: '5.50' })).seen), 'VALIDATION_ERROR');
    assert.equal((await transferAs(mtn, { amount: '5' })).seen.status, 202);
  });

  it('is refused in a currency of another market, in either documented way', async () => {
    await using mtn = await startForTest();
    const { seen } = await transferAs(mtn, { currency: 'NGN' });
    assert.deepEqual([seen.status, codeOf(seen)], [500, 'INVALID_CURRENCY']);
    await using other = await startForTest({ wrongCurrency: 'VALIDATION_ERROR' });
    const second = await transferAs(other, { currency: 'NGN' });
    assert.deepEqual([second.seen.status, codeOf(second.seen)], [400, 'VALIDATION_ERROR']);
    await using nigeria = await startForTest({ targetEnvironment: 'mtnnigeria' });
    assert.equal((await transferAs(nigeria, { currency: 'NGN' })).seen.status, 202);
  });
});
