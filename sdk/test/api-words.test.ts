import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PEOPLE_FIELD_CODES } from '../../service/src/domain/field-problem.ts';
import type { RefusalCode } from '../../service/src/domain/refusal-codes.ts';
import {
  type CancellationCode,
  COUNTRIES,
  type Currency,
  DELIVERY_STATES,
  ERROR_CODES,
  EVENT_TYPES,
  FIELD_CODES,
  type Mode,
  OPERATORS,
  type OperatorRoute,
  PAYOUT_FILE_STATES,
  PAYOUT_ROW_FIELDS,
  PAYOUT_ROW_STATES,
  type PostingKind,
  type Recipient,
  TRANSFER_STATES,
  TRANSFER_STATUSES,
  type TransferFailureCode,
  type Wallet,
  type WebhookEndpoint,
} from '../src/index.ts';
import { at, itemsOf, named, type Schema } from './api-description.ts';

const sorted = (words: readonly string[]) => [...words].sort();
const wordsOf = (schema: Schema) => sorted((schema.enum ?? []).map(String));

/** The compiler sees to it that these are all words of the union, and no others. */
function every<Word extends string>(words: Readonly<Record<Word, 0>>): readonly string[] {
  return Object.keys(words).sort();
}

/** Codes of operations that the SDK does not have, such as signing in. */
const OF_OTHER_OPERATIONS: readonly RefusalCode[] = [
  'SIGN_IN_FAILED',
  'KEY_NOT_FOUND',
  'VIEW_NOT_FOUND',
  'LIST_ENTRY_NOT_FOUND',
  'SCREENER_NOT_FOUND',
  'SESSION_NOT_FOUND',
  'PERSON_NOT_FOUND',
  'INVITATION_NOT_FOUND',
  'FUNDING_REFERENCE_TAKEN_BACK',
  'LAST_OWNER',
  'LAST_ADMIN',
];

describe("the SDK's words", () => {
  it("are the API's", () => {
    const pairs: readonly [readonly string[], Schema][] = [
      [OPERATORS, named('Transfer', 'operator')],
      [COUNTRIES, named('Transfer', 'country')],
      [TRANSFER_STATES, named('Transfer', 'state')],
      [TRANSFER_STATUSES, named('Transfer', 'status')],
      [PAYOUT_FILE_STATES, named('PayoutFile', 'state')],
      [PAYOUT_ROW_STATES, named('PayoutRow', 'state')],
      [PAYOUT_ROW_FIELDS, named('PayoutRow', 'problems', '[]', 'field')],
      [[...ERROR_CODES, ...OF_OTHER_OPERATIONS], named('Failure', 'data', 'error', 'code')],
      [
        [...FIELD_CODES, ...PEOPLE_FIELD_CODES],
        named('Failure', 'data', 'error', 'fields', '[]', 'code'),
      ],
      [every<Currency>({ ZMW: 0, NGN: 0 }), named('Wallet', 'currency')],
      [every<Mode>({ test: 0, live: 0 }), named('Transfer', 'mode')],
      [every<Wallet['status']>({ active: 0, frozen: 0 }), named('Wallet', 'status')],
      [
        every<PostingKind>({
          fund: 0,
          hold: 0,
          settle: 0,
          fee: 0,
          release: 0,
          reverse: 0,
          fee_return: 0,
          fund_return: 0,
        }),
        named('Posting', 'kind'),
      ],
      [
        every<`${Recipient['nameMatch']}`>({ match: 0, close: 0, mismatch: 0, null: 0 }),
        named('Recipient', 'nameMatch'),
      ],
      [
        every<Recipient['resolution']>({ resolved: 0, pending: 0 }),
        named('Recipient', 'resolution'),
      ],
      [
        every<OperatorRoute['health']>({ up: 0, down: 0, unknown: 0 }),
        at(itemsOf('operators'), 'health'),
      ],
      [DELIVERY_STATES, at(itemsOf('webhooks/{id}/deliveries'), 'state')],
      [EVENT_TYPES, at(itemsOf('webhooks/{id}/deliveries'), 'eventType')],
      [
        every<WebhookEndpoint['status']>({ enabled: 0, disabled: 0 }),
        at(itemsOf('webhooks'), 'status'),
      ],
      [
        every<TransferFailureCode | CancellationCode>({
          RECIPIENT_NOT_FOUND: 0,
          RECIPIENT_NOT_ALLOWED: 0,
          RECIPIENT_LIMIT_REACHED: 0,
          AMOUNT_REFUSED: 0,
          OPERATOR_REJECTED: 0,
          OPERATOR_FLOAT_INSUFFICIENT: 0,
          CANCELLED: 0,
          APPROVAL_REJECTED: 0,
          APPROVAL_EXPIRED: 0,
          APPROVAL_RECALLED: 0,
          SCREENING_REFUSED: 0,
        }),
        named('Transfer', 'failure', 'code'),
      ],
    ];
    for (const [words, schema] of pairs) assert.deepEqual(sorted(words), wordsOf(schema));
  });
});
