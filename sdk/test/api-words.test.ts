import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AccountInput,
  COUNTRIES,
  type Currency,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryAttempt,
  ERROR_CODES,
  EVENT_TYPES,
  FIELD_CODES,
  type HistoryEntry,
  type InDoubtTransfer,
  type KafueEvent,
  type Mode,
  OPERATORS,
  type OperatorRoute,
  type Posting,
  type PostingKind,
  type Recipient,
  type RecipientInput,
  TRANSFER_STATES,
  TRANSFER_STATUSES,
  type TransferInput,
  type Wallet,
  type WebhookEndpoint,
} from '../src/index.ts';
import { at, bodyOf, describesWebhooks, itemsOf, named, type Schema } from './api-description.ts';

const sorted = (words: readonly string[]) => [...words].sort();
const wordsOf = (schema: Schema) => sorted((schema.enum ?? []).map(String));
const fieldsOf = (schema: Schema) => Object.keys(schema.properties ?? {}).sort();

/** The compiler sees to it that these are all words of the union, and no others. */
function every<Word extends string>(words: Readonly<Record<Word, 0>>): readonly string[] {
  return Object.keys(words).sort();
}

describe("the SDK's words", () => {
  it("are the API's", () => {
    const pairs: readonly [readonly string[], Schema][] = [
      [OPERATORS, named('Transfer', 'operator')],
      [COUNTRIES, named('Transfer', 'country')],
      [TRANSFER_STATES, named('Transfer', 'state')],
      [TRANSFER_STATUSES, named('Transfer', 'status')],
      [ERROR_CODES, named('Failure', 'data', 'error', 'code')],
      [FIELD_CODES, named('Failure', 'data', 'error', 'fields', '[]', 'code')],
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
    ];
    for (const [words, schema] of pairs) assert.deepEqual(sorted(words), wordsOf(schema));
  });
});

describe("the SDK's objects", () => {
  const account = { phone: 0, operator: 0, country: 0 } as const;
  const order = {
    ...account,
    amount: 0,
    reference: 0,
    walletId: 0,
    narration: 0,
    recipientName: 0,
  } as const;

  it('have the fields that the API sends', () => {
    const told = { id: 0, type: 0, mode: 0, createdAt: 0 } as const;
    const transfer = every<keyof InDoubtTransfer>({
      ...order,
      ...told,
      status: 0,
      state: 0,
      fee: 0,
      currency: 0,
      operatorTransactionId: 0,
      failure: 0,
      updatedAt: 0,
      completedAt: 0,
      inDoubtSince: 0,
      lastCheckedAt: 0,
      nextCheckAt: 0,
    });
    const recipient = every<keyof Recipient>({
      ...account,
      ...told,
      accountName: 0,
      suppliedAccountName: 0,
      nameMatch: 0,
      resolution: 0,
    });
    assert.deepEqual(transfer, fieldsOf(named('Transfer')));
    assert.deepEqual(recipient, fieldsOf(named('Recipient')));
  });

  it('have the fields that the API sends, in wallets, statements and lists', () => {
    const wallet = { id: 0, currency: 0, available: 0, held: 0, status: 0 } as const;
    const posting = every<keyof Posting>({
      sequence: 0,
      kind: 0,
      amount: 0,
      from: 0,
      to: 0,
      availableAfter: 0,
      heldAfter: 0,
      currency: 0,
      transferId: 0,
      reference: 0,
      createdAt: 0,
    });
    const route = every<keyof OperatorRoute>({
      operator: 0,
      country: 0,
      currency: 0,
      available: 0,
      min: 0,
      max: 0,
      decimals: 0,
      health: 0,
    });
    const entry = { sequence: 0, from: 0, state: 0, event: 0, cause: 0, actor: 0, at: 0 } as const;
    assert.deepEqual(every<keyof Wallet>(wallet), fieldsOf(named('Wallet')));
    assert.deepEqual(posting, fieldsOf(named('Posting')));
    assert.deepEqual(route, fieldsOf(itemsOf('operators')));
    assert.deepEqual(every<keyof HistoryEntry>(entry), fieldsOf(itemsOf('transfers/{id}/history')));
  });

  it('have the fields that the API takes', () => {
    const recipient = { ...account, accountName: 0 } as const;
    const pairs: readonly [readonly string[], string][] = [
      [every<keyof TransferInput>(order), 'transfers/mobile-money'],
      [every<keyof RecipientInput>(recipient), 'transfer-recipients/mobile-money'],
      [every<keyof AccountInput>(account), 'resolve/mobile-money'],
    ];
    for (const [fields, path] of pairs) assert.deepEqual(fields, fieldsOf(bodyOf(path)));
  });
});

describe("the SDK's webhooks and events", { skip: !describesWebhooks }, () => {
  it('have the words and fields of the API', () => {
    const endpoint = {
      id: 0,
      url: 0,
      events: 0,
      status: 0,
      disabledReason: 0,
      createdAt: 0,
    } as const;
    const delivery = every<keyof Delivery>({
      id: 0,
      endpointId: 0,
      eventId: 0,
      eventType: 0,
      state: 0,
      attempts: 0,
      nextAttemptAt: 0,
      createdAt: 0,
    });
    const attempt = { at: 0, elapsedMs: 0, status: 0, error: 0, answer: 0 } as const;
    const event = { id: 0, type: 0, createdAt: 0, mode: 0, sequence: 0, data: 0 } as const;
    const deliveries = itemsOf('webhooks/{id}/deliveries');
    assert.deepEqual(every<keyof WebhookEndpoint>(endpoint), fieldsOf(itemsOf('webhooks')));
    assert.deepEqual(delivery, fieldsOf(deliveries));
    assert.deepEqual(
      every<keyof DeliveryAttempt>(attempt),
      fieldsOf(at(deliveries, 'attempts', '[]')),
    );
    assert.deepEqual(every<keyof KafueEvent>(event), fieldsOf(itemsOf('events')));
    assert.deepEqual(sorted(DELIVERY_STATES), wordsOf(at(deliveries, 'state')));
    assert.deepEqual(sorted(EVENT_TYPES), wordsOf(at(deliveries, 'eventType')));
  });
});
