import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { meaningOfCode, shownCode } from './codes.ts';

/** Code, its meaning as the error of a submission, and as the reason of a failed transfer. */
const DOCUMENTED = `
  PAYEE_NOT_FOUND                RECIPIENT_NOT_FOUND         RECIPIENT_NOT_FOUND
  PAYEE_NOT_ALLOWED_TO_RECEIVE   RECIPIENT_NOT_ALLOWED       RECIPIENT_NOT_ALLOWED
  PAYEE_LIMIT_REACHED            RECIPIENT_LIMIT_REACHED     RECIPIENT_LIMIT_REACHED
  VALIDATION_ERROR               AMOUNT_REFUSED              AMOUNT_REFUSED
  NOT_ENOUGH_FUNDS               OPERATOR_FLOAT_INSUFFICIENT OPERATOR_FLOAT_INSUFFICIENT
  PAYER_NOT_FOUND                OPERATOR_REJECTED           OPERATOR_REJECTED
  PAYER_LIMIT_REACHED            OPERATOR_REJECTED           OPERATOR_REJECTED
  SENDER_ACCOUNT_NOT_ACTIVE      OPERATOR_REJECTED           OPERATOR_REJECTED
  NOT_ALLOWED                    OPERATOR_REJECTED           OPERATOR_REJECTED
  NOT_ALLOWED_TARGET_ENVIRONMENT OPERATOR_REJECTED           OPERATOR_REJECTED
  INVALID_CALLBACK_URL_HOST      OPERATOR_REJECTED           OPERATOR_REJECTED
  INVALID_CURRENCY               OPERATOR_REJECTED           OPERATOR_REJECTED
  TRANSFER_TYPE_UNKNOWN          OPERATOR_REJECTED           OPERATOR_REJECTED
  PAYMENT_NOT_APPROVED           unknown                     OPERATOR_REJECTED
  APPROVAL_REJECTED              unknown                     OPERATOR_REJECTED
  REJECTED                       unknown                     OPERATOR_REJECTED
  EXPIRED                        unknown                     OPERATOR_REJECTED
  TRANSACTION_CANCELED           unknown                     OPERATOR_REJECTED
  COULD_NOT_PERFORM_TRANSACTION  unknown                     OPERATOR_REJECTED
  RESOURCE_NOT_FOUND             unknown                     OPERATOR_REJECTED
  TRANSACTION_NOT_FOUND          unknown                     OPERATOR_REJECTED
  INTERNAL_PROCESSING_ERROR      unknown                     OPERATOR_REJECTED
  SERVICE_UNAVAILABLE            unknown                     OPERATOR_REJECTED
  RESOURCE_ALREADY_EXIST         unknown                     unknown
`;

for (const line of DOCUMENTED.trim().split('\n')) {
  const [code = '', refused, failed] = line.trim().split(/ +/);
  it(`reads ${code} as ${refused} of a submission and ${failed} of a transfer`, () => {
    assert.equal(meaningOfCode(code, 'refused'), refused);
    assert.equal(meaningOfCode(code, 'failed'), failed);
  });
}

it('reads a callback address that MTN does not know as a refusal', () => {
  assert.equal(meaningOfCode('FORBIDDEN IP', 'refused'), 'OPERATOR_REJECTED');
});

it('reads a code that is not documented as unknown', () => {
  const known = DOCUMENTED.split(/\s+/).concat('FORBIDDEN IP');
  const code = fc.oneof(
    fc.string(),
    fc.constantFrom('constructor', '__proto__', 'payee_not_found'),
  );
  fc.assert(
    fc.property(code, fc.constantFrom('refused', 'failed'), (text, place) => {
      fc.pre(!known.includes(text));
      assert.equal(meaningOfCode(text, place), 'unknown');
    }),
  );
});

it('does not show operator text that does not look like a code', () => {
  assert.equal(shownCode('PAYEE_NOT_FOUND'), 'PAYEE_NOT_FOUND');
  for (const text of ['', 'x'.repeat(61), '<b>', 'a\nb', 'ключ']) {
    assert.equal(shownCode(text), 'a code that cannot be shown');
  }
});
