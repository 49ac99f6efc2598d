import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { CONVERSATION_ID, PAYOUT, REFERENCE } from '../../../test/fakes/fake-vodacom.ts';
import { readVodacomCallback } from './callback.ts';
import { fromConversationId, toConversationId, toTransactionReference } from './references.ts';
import { payoutBody, reversalConversationId } from './shapes.ts';

const PLACE = {
  environment: 'sandbox',
  market: 'vodacomZMB',
  country: 'ZMB',
  serviceProviderCode: '000000',
} as const;

const sent = (changes: Partial<typeof PAYOUT>): Record<string, string> =>
  JSON.parse(payoutBody(PLACE, { ...PAYOUT, ...changes }));

/** The patterns of the documentation. */
const DOCUMENTED: Readonly<Record<string, RegExp>> = {
  input_Amount: /^\d*\.?\d+$/,
  input_CustomerMSISDN: /^[0-9]{12,14}$/,
  input_Currency: /^[a-zA-Z]{1,3}$/,
  input_ServiceProviderCode: /^([0-9A-Za-z]{4,12})$/,
  input_TransactionReference: /^[0-9a-zA-Z \w+]{1,20}$/,
  input_ThirdPartyConversationID: /^[0-9a-zA-Z \w+]{1,40}$/,
  input_PaymentItemsDesc: /^[0-9a-zA-Z \w+]{1,256}$/,
};

it('sends only what the documented patterns allow, for any payout', () => {
  fc.assert(
    fc.property(
      fc.uuid({ version: 4 }),
      fc.bigInt({ min: 1n, max: 100_000_000_000n }),
      fc.option(anyText({ maxLength: 400 })),
      fc.constantFrom('+260977433571', '+2348021234567'),
      (operatorReference, amountMinor, narration, phone) => {
        const body = sent({ operatorReference, amountMinor, narration, phone });
        for (const [field, pattern] of Object.entries(DOCUMENTED)) {
          assert.match(body[field] ?? '', pattern, field);
        }
        const [whole = '', fraction = ''] = (body.input_Amount ?? '').split('.');
        assert.equal(BigInt(whole + fraction.padEnd(2, '0')), amountMinor);
      },
    ),
  );
});

it('writes amounts exactly, and whole amounts without decimals', () => {
  const amounts = [1n, 10n, 100n, 1_000n, 15_050n, 100_000_000_000n];
  assert.deepEqual(
    amounts.map((amountMinor) => sent({ amountMinor }).input_Amount),
    ['0.01', '0.10', '1', '10', '150.50', '1000000000'],
  );
});

it('sends the allowed characters of a narration, and never an empty one', () => {
  const described = (narration: string | null) => sent({ narration }).input_PaymentItemsDesc;
  assert.equal(described(null), 'Payout');
  assert.equal(described('  '), 'Payout');
  assert.equal(described('😀'), 'Payout');
  assert.equal(described('Salário: João’s – 50%'), 'Salario Joao s 50');
  assert.equal(described('a_b+c'), 'a_b+c');
  assert.equal(described('x'.repeat(300))?.length, 256);
  assert.equal(described(`${'x'.repeat(255)} y`)?.length, 255);
});

it('turns a reference into an id without dashes and back', () => {
  assert.equal(toConversationId(REFERENCE), CONVERSATION_ID);
  assert.equal(toTransactionReference(REFERENCE), '4f7f9d0b1e1d5b0b7a10');
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      assert.equal(fromConversationId(toConversationId(uuid)), uuid);
      assert.match(reversalConversationId(uuid), /^[0-9a-f]{32}$/);
      assert.notEqual(reversalConversationId(uuid), toConversationId(uuid));
    }),
  );
  for (const text of [
    '',
    REFERENCE,
    CONVERSATION_ID.slice(1),
    `${CONVERSATION_ID}0`,
    'g'.repeat(32),
  ]) {
    assert.equal(fromConversationId(text), undefined);
  }
});

it('reads the result of the async flow as a hint', () => {
  const read = (result: unknown) =>
    readVodacomCallback({
      method: 'POST',
      path: '/hooks/vodacom',
      headers: {},
      body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
    });
  const result = {
    input_OriginalConversationID: 'fd1e9143d22544459f7c66e1860ef276',
    input_TransactionID: 'hv9ahxcg4ccv',
    input_ResultCode: 'INS-0',
    input_ResultDesc: 'Request processed successfully',
    input_ThirdPartyConversationID: CONVERSATION_ID,
  };
  const acknowledgement = JSON.stringify({
    output_OriginalConversationID: 'fd1e9143d22544459f7c66e1860ef276',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: CONVERSATION_ID,
  });
  const hint = { operatorReference: REFERENCE, claims: 'paid', verified: false };
  const paid = { kind: 'read', ...hint, acknowledgement };
  assert.deepEqual(read(result), paid);
  assert.deepEqual(read({ ...result, input_ResultCode: '0' }), paid);
  assert.deepEqual(read({ ...result, input_ResultCode: 0 }), paid);
  const claims = (input_ResultCode: unknown) => {
    const reading = read({ ...result, input_ResultCode });
    return reading.kind === 'read' ? reading.claims : reading.kind;
  };
  assert.equal(claims('INS-6'), 'failed');
  assert.equal(claims('2006'), 'failed');
  assert.equal(claims('INS-9'), 'unknown');
  assert.equal(claims(undefined), 'unknown');
  assert.equal(claims('INS-77'), 'unknown');
  assert.equal(read('<xml/>').kind, 'unreadable');
  assert.equal(read('[]').kind, 'unreadable');
  assert.equal(read({ ...result, input_ThirdPartyConversationID: REFERENCE }).kind, 'unreadable');
});
