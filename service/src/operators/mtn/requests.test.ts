import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { PAYOUT as SCRIPTED_PAYOUT } from '../../../test/fakes/fake-mtn.ts';
import type { Payout } from '../contract/connector.ts';
import { holderRequest, msisdnOf, noteOf, statusRequest, transferRequest } from './requests.ts';

const PAYOUT: Payout = {
  ...SCRIPTED_PAYOUT,
  amountMinor: 15_000n,
  narration: 'Salary June',
};
const TERMS = { amountDecimals: 2, currency: null };

function bodyOf(payout: Payout, terms: Parameters<typeof transferRequest>[1] = TERMS): unknown {
  return JSON.parse(transferRequest(payout, terms, null)?.body ?? 'null');
}

it('writes a transfer as MTN documents it, every value a string', () => {
  const request = transferRequest(PAYOUT, TERMS, null);
  assert.equal(request?.method, 'POST');
  assert.equal(request?.path, '/disbursement/v1_0/transfer');
  assert.deepEqual(request?.headers, {
    'content-type': 'application/json',
    'x-reference-id': PAYOUT.operatorReference,
  });
  assert.deepEqual(bodyOf(PAYOUT), {
    amount: '150.00',
    currency: 'ZMW',
    externalId: PAYOUT.operatorReference,
    payee: { partyIdType: 'MSISDN', partyId: '260966123456' },
    payerMessage: `Payout ${PAYOUT.operatorReference}`,
    payeeNote: 'Salary June',
  });
});

it('sends a callback address only if there is one', () => {
  const request = transferRequest(PAYOUT, TERMS, 'https://pay.example/hooks/mtn');
  assert.equal(request?.headers['x-callback-url'], 'https://pay.example/hooks/mtn');
});

it("writes amounts in the market's decimals and never rounds one", () => {
  const amountOf = (amountMinor: bigint, amountDecimals: number): unknown => {
    const body = bodyOf({ ...PAYOUT, amountMinor }, { ...TERMS, amountDecimals });
    return body === null ? null : (body as { amount: unknown }).amount;
  };
  assert.equal(amountOf(1n, 2), '0.01');
  assert.equal(amountOf(100_000_000_000n, 2), '1000000000.00');
  assert.equal(amountOf(15_000n, 0), '150');
  assert.equal(amountOf(15_050n, 0), null);
});

it("sends the sandbox's currency if the settings say so", () => {
  const body = bodyOf(PAYOUT, { ...TERMS, currency: 'EUR' }) as { currency: string };
  assert.equal(body.currency, 'EUR');
});

it('writes numbers with the country code and without a plus', () => {
  assert.equal(msisdnOf('+260966123456'), '260966123456');
  assert.equal(msisdnOf('+2348031234567'), '2348031234567');
  const { path } = holderRequest('+2348031234567', 'active');
  assert.equal(path, '/disbursement/v1_0/accountholder/msisdn/2348031234567/active');
});

it('queries a status by our reference', () => {
  const { method, path, body } = statusRequest(PAYOUT);
  assert.deepEqual([method, body], ['GET', null]);
  assert.equal(path, `/disbursement/v1_0/transfer/${PAYOUT.operatorReference}`);
});

it('writes notes in characters that MTN accepts', () => {
  assert.equal(noteOf("O'Brien's pay, June"), 'O Brien s pay, June');
  assert.equal(noteOf('Señor Müller – café №5'), 'Senor Muller cafe No5');
  assert.equal(noteOf('pay 😀 day'), 'pay day');
  assert.equal(noteOf(null), 'Payout');
  assert.equal(noteOf(''), 'Payout');
  assert.equal(noteOf('😀😀'), 'Payout');
  assert.equal(noteOf('x'.repeat(129)).length, 128);
  assert.equal(noteOf(`${'x'.repeat(127)} y`), 'x'.repeat(127));
});

it('writes no note that MTN would refuse, for any narration', () => {
  const narration = anyText({ maxLength: 300 });
  fc.assert(
    fc.property(narration, (text) => assert.match(noteOf(text), /^[\w.,-](?:[\w.,\- ]{0,127})$/)),
  );
});
