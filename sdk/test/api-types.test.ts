import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  AccountInput,
  Approval,
  ApprovalView,
  BulkResults,
  DecisionInput,
  Delivery,
  DeliveryAttempt,
  DeliveryFilter,
  EventFilter,
  FieldProblem,
  HistoryEntry,
  Holiday,
  KafueEvent,
  Limit,
  ListEntry,
  ListEntryFilter,
  Occurrence,
  OperatorRoute,
  Page,
  Paging,
  PayoutFile,
  PayoutFileItem,
  PayoutRow,
  PayoutRowCorrection,
  Policy,
  PolicyDraft,
  PolicyVersion,
  Posting,
  PostingFilter,
  Recipient,
  RecipientFilter,
  RecipientInput,
  ReplayRange,
  ReplayResult,
  ResolvedAccount,
  Schedule,
  ScheduleDate,
  ScheduleRow,
  Screener,
  Screening,
  ScreeningAttempt,
  Transfer,
  TransferFilter,
  TransferInput,
  Wallet,
  WebhookChange,
  WebhookEndpoint,
  WebhookEndpointWithNewSecret,
  WebhookEndpointWithSecret,
  WebhookInput,
} from '../src/index.ts';
import { answerOf, at, bodyOf, itemsOf, kindsOf, named, queryOf } from './api-description.ts';

type Keys<T> = T extends unknown ? keyof T : never;
type Value<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;
type Kind<V> = V extends Date
  ? never
  : V extends string
    ? 'string'
    : V extends number
      ? 'number'
      : V extends boolean
        ? 'boolean'
        : V extends null
          ? 'null'
          : V extends undefined
            ? 'absent'
            : V extends readonly unknown[]
              ? 'array'
              : 'object';

/** Every field of a type with what it may be. The compiler refuses one that lacks or adds anything. */
type Shape<T> = { readonly [K in Keys<T>]: Readonly<Record<Kind<Value<T, K>>, 0>> };

function shapeOf<T>(shape: Shape<T>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries<object>(shape).map(([field, kinds]) => [field, Object.keys(kinds).sort()]),
  );
}

const text = { string: 0 } as const;
const number = { number: 0 } as const;
const flag = { boolean: 0 } as const;
const list = { array: 0 } as const;
const object = { object: 0 } as const;
const orNull = { null: 0 } as const;
const optional = { absent: 0 } as const;
const textOrNull = { ...text, ...orNull };
const someText = { ...text, ...optional };

const account = { phone: text, operator: text, country: text };
const range = { from: someText, to: someText };
const paging = { limit: { ...number, ...optional }, cursor: someText };
const endpoint = {
  id: text,
  url: text,
  events: list,
  status: text,
  disabledReason: textOrNull,
  createdAt: text,
};

describe("the SDK's types", () => {
  it('are what the API answers, field by field', () => {
    const transfer = shapeOf<Transfer>({
      ...account,
      id: text,
      type: text,
      reference: text,
      status: text,
      state: text,
      amount: number,
      fee: number,
      currency: text,
      walletId: text,
      recipientName: textOrNull,
      narration: textOrNull,
      metadata: { ...object, ...orNull },
      sendAt: textOrNull,
      source: text,
      policyVersion: { ...number, ...orNull },
      rules: list,
      contentHash: textOrNull,
      approval: { ...object, ...orNull },
      payoutFileId: textOrNull,
      replaces: textOrNull,
      operatorTransactionId: textOrNull,
      failure: { ...object, ...orNull },
      mode: text,
      createdAt: text,
      updatedAt: text,
      completedAt: textOrNull,
      inDoubtSince: someText,
      lastCheckedAt: { ...textOrNull, ...optional },
      nextCheckAt: { ...textOrNull, ...optional },
    });
    const recipient = shapeOf<Recipient>({
      ...account,
      id: text,
      type: text,
      accountName: textOrNull,
      suppliedAccountName: textOrNull,
      nameMatch: textOrNull,
      resolution: text,
      mode: text,
      createdAt: text,
    });
    const posting = shapeOf<Posting>({
      sequence: number,
      kind: text,
      amount: text,
      from: text,
      to: text,
      availableAfter: text,
      heldAfter: text,
      currency: text,
      transferId: textOrNull,
      reference: textOrNull,
      createdAt: text,
    });
    const wallet = { id: text, currency: text, available: text, held: text, status: text };
    assert.deepEqual(transfer, kindsOf(named('Transfer')));
    assert.deepEqual(recipient, kindsOf(named('Recipient')));
    assert.deepEqual(posting, kindsOf(named('Posting')));
    assert.deepEqual(shapeOf<Wallet>(wallet), kindsOf(named('Wallet')));
    const resolved = shapeOf<ResolvedAccount>({ ...account, accountName: text });
    assert.deepEqual(resolved, kindsOf(answerOf('post', 'resolve/mobile-money')));
    const page = shapeOf<Page<Transfer>>({ items: list, nextCursor: textOrNull });
    assert.deepEqual(page, kindsOf(answerOf('get', 'transfers')));
    const bulk = shapeOf<BulkResults>({ results: list, accepted: number, refused: number });
    assert.deepEqual(bulk, kindsOf(answerOf('post', 'transfers/mobile-money/bulk')));
  });

  it('are what the API answers about operators, histories, refusals and events', () => {
    const route = shapeOf<OperatorRoute>({
      operator: text,
      country: text,
      currency: text,
      available: flag,
      min: { ...number, ...orNull },
      max: { ...number, ...orNull },
      decimals: number,
      fee: object,
      health: text,
    });
    const entry = shapeOf<HistoryEntry>({
      sequence: number,
      from: textOrNull,
      state: text,
      event: textOrNull,
      cause: text,
      actor: text,
      at: text,
    });
    const event = shapeOf<KafueEvent>({
      id: text,
      type: text,
      createdAt: text,
      mode: text,
      sequence: number,
      data: object,
    });
    const problem = shapeOf<FieldProblem>({ field: text, code: text, message: text });
    assert.deepEqual(route, kindsOf(itemsOf('operators')));
    assert.deepEqual(entry, kindsOf(itemsOf('transfers/{id}/history')));
    assert.deepEqual(event, kindsOf(itemsOf('events')));
    assert.deepEqual(problem, kindsOf(named('Failure', 'data', 'error', 'fields', '[]')));
  });

  it('are what the API answers about the policy', () => {
    const objectOrNull = { ...object, ...orNull };
    const policy = shapeOf<Policy>({
      version: { ...number, ...orNull },
      document: objectOrNull,
      contentHash: textOrNull,
      rules: list,
      publishedAt: textOrNull,
      publishedBy: list,
      draft: objectOrNull,
      history: list,
    });
    const draft = shapeOf<PolicyDraft>({
      document: object,
      contentHash: text,
      rules: list,
      changedBy: object,
      changedAt: text,
      replay: objectOrNull,
      publishedBy: objectOrNull,
      problems: list,
    });
    const version = shapeOf<PolicyVersion>({
      version: number,
      contentHash: text,
      publishedAt: text,
      by: list,
    });
    const answer = answerOf('get', 'policy');
    assert.deepEqual(policy, kindsOf(answer));
    assert.deepEqual(draft, kindsOf(at(answer, 'draft')));
    assert.deepEqual(version, kindsOf(at(answer, 'history', '[]')));
  });

  it('are what the API answers about schedules', () => {
    const schedule = shapeOf<Schedule>({
      id: text,
      name: text,
      walletId: text,
      country: text,
      currency: text,
      recurrence: object,
      zone: text,
      state: text,
      payouts: number,
      sum: text,
      nextAt: textOrNull,
      next: list,
      last: { ...object, ...orNull },
      refused: { ...object, ...orNull },
      madeBy: object,
      version: text,
      createdAt: text,
      updatedAt: text,
      endedAt: textOrNull,
    });
    const date = shapeOf<ScheduleDate>({ period: text, ruleDay: text, payDay: text, payAt: text });
    const occurrence = shapeOf<Occurrence>({
      period: text,
      payAt: text,
      madeAt: text,
      payoutFileId: text,
      state: text,
      waitsBecause: textOrNull,
      refusal: { ...object, ...orNull },
    });
    const row = shapeOf<ScheduleRow>({
      ...account,
      number,
      amount: number,
      recipientName: textOrNull,
      narration: textOrNull,
    });
    const holiday = shapeOf<Holiday>({
      country: text,
      day: text,
      name: text,
      source: text,
      enteredBy: text,
      enteredAt: text,
    });
    assert.deepEqual(schedule, kindsOf(named('Schedule')));
    assert.deepEqual(date, kindsOf(named('Schedule', 'next', '[]')));
    assert.deepEqual(occurrence, kindsOf(itemsOf('schedules/{id}/occurrences')));
    assert.deepEqual(row, kindsOf(itemsOf('schedules/{id}/rows')));
    assert.deepEqual(holiday, kindsOf(named('Holiday')));
  });

  it('are what the API answers about webhooks', () => {
    const delivery = shapeOf<Delivery>({
      id: text,
      endpointId: text,
      eventId: text,
      eventType: text,
      state: text,
      attempts: list,
      nextAttemptAt: textOrNull,
      createdAt: text,
    });
    const attempt = shapeOf<DeliveryAttempt>({
      at: text,
      elapsedMs: number,
      status: { ...number, ...orNull },
      error: textOrNull,
      answer: textOrNull,
    });
    const withSecret = shapeOf<WebhookEndpointWithSecret>({ ...endpoint, secret: text });
    const rotated = shapeOf<WebhookEndpointWithNewSecret>({
      ...endpoint,
      secret: text,
      previousSecretUntil: text,
    });
    const replayed = shapeOf<ReplayResult>({ replayed: number, nextFrom: textOrNull });
    const deliveries = itemsOf('webhooks/{id}/deliveries');
    assert.deepEqual(shapeOf<WebhookEndpoint>(endpoint), kindsOf(itemsOf('webhooks')));
    assert.deepEqual(withSecret, kindsOf(answerOf('post', 'webhooks')));
    assert.deepEqual(rotated, kindsOf(answerOf('post', 'webhooks/{id}/rotate-secret')));
    assert.deepEqual(delivery, kindsOf(deliveries));
    assert.deepEqual(attempt, kindsOf(at(deliveries, 'attempts', '[]')));
    assert.deepEqual(replayed, kindsOf(answerOf('post', 'webhooks/{id}/replay')));
  });

  it('are what the API answers about lists and screeners', () => {
    const entry = shapeOf<ListEntry>({
      id: text,
      list: text,
      phone: text,
      reason: text,
      author: object,
      createdAt: text,
      expiresAt: textOrNull,
      endedAt: textOrNull,
      endedBy: { ...object, ...orNull },
      endReason: textOrNull,
      inForce: flag,
    });
    const screener = shapeOf<Screener>({
      id: text,
      name: text,
      url: text,
      deadlineMs: number,
      createdBy: object,
      createdAt: text,
    });
    const screening = shapeOf<Screening>({
      rule: text,
      screener: text,
      decision: textOrNull,
      reason: textOrNull,
      createdAt: text,
      decidedAt: textOrNull,
      attempts: list,
    });
    const attempt = shapeOf<ScreeningAttempt>({
      at: text,
      elapsedMs: number,
      status: { ...number, ...orNull },
      error: textOrNull,
      answer: textOrNull,
      decision: text,
    });
    const limit = shapeOf<Limit>({
      rule: textOrNull,
      kind: text,
      by: text,
      subject: text,
      name: text,
      window: text,
      currency: text,
      refuses: flag,
      limit: text,
      used: text,
      left: text,
      resetsAt: textOrNull,
    });
    assert.deepEqual(limit, kindsOf(itemsOf('limits')));
    const screenings = itemsOf('transfers/{id}/screenings');
    assert.deepEqual(entry, kindsOf(itemsOf('lists')));
    assert.deepEqual(screener, kindsOf(itemsOf('screeners')));
    assert.deepEqual(screening, kindsOf(screenings));
    assert.deepEqual(attempt, kindsOf(at(screenings, 'attempts', '[]')));
  });

  it('are what the API answers about payout files, and takes to correct them', () => {
    const numberOrNull = { ...number, ...orNull };
    const item = {
      id: text,
      name: text,
      source: text,
      references: text,
      state: text,
      format: textOrNull,
      sheet: textOrNull,
      otherSheets: list,
      columns: list,
      problem: { ...object, ...orNull },
      madeBy: object,
      createdAt: text,
      updatedAt: text,
      walletId: textOrNull,
      currency: textOrNull,
      progress: object,
      counts: object,
      sum: text,
      names: object,
      version: number,
      contentHash: textOrNull,
      submittedAt: textOrNull,
      submittedBy: textOrNull,
      payAt: textOrNull,
      policyVersion: numberOrNull,
      rules: list,
      approvalExpiresAt: textOrNull,
      payingAt: textOrNull,
      endedAt: textOrNull,
      endedAs: textOrNull,
      failedRowsOf: textOrNull,
      scheduleId: textOrNull,
    };
    const file = shapeOf<PayoutFile>({
      ...item,
      approval: { ...object, ...orNull },
      fees: text,
      total: text,
      problemKinds: list,
      operators: list,
      wallet: { ...object, ...orNull },
      sameUploads: list,
    });
    const row = shapeOf<PayoutRow>({
      number,
      line: number,
      state: text,
      cells: object,
      corrections: object,
      phone: textOrNull,
      operator: textOrNull,
      operatorPredicted: flag,
      country: textOrNull,
      currency: textOrNull,
      amount: numberOrNull,
      fee: numberOrNull,
      name: textOrNull,
      narration: textOrNull,
      reference: textOrNull,
      problems: list,
      warnings: list,
      accountName: textOrNull,
      nameMatch: textOrNull,
      nameCheckedAt: textOrNull,
      replaces: textOrNull,
      replacedFailure: { ...object, ...orNull },
      transferReference: textOrNull,
      transferId: textOrNull,
      transferState: textOrNull,
      transferFailure: { ...object, ...orNull },
      refusal: { ...object, ...orNull },
    });
    const maybe = { ...textOrNull, ...optional };
    const correction = shapeOf<PayoutRowCorrection>({
      phone: maybe,
      amount: { ...maybe, ...number },
      name: maybe,
      operator: maybe,
      country: maybe,
      narration: maybe,
      reference: maybe,
    });
    assert.deepEqual(shapeOf<PayoutFileItem>(item), kindsOf(itemsOf('payout-files')));
    assert.deepEqual(file, kindsOf(answerOf('get', 'payout-files/{id}')));
    assert.deepEqual(row, kindsOf(itemsOf('payout-files/{id}/rows')));
    assertTaken(correction, kindsOf(bodyOf('put', 'payout-files/{id}/rows/{number}')));
  });

  it('are what the API takes: every field, and nothing that it would refuse', () => {
    const order = shapeOf<TransferInput>({
      ...account,
      amount: number,
      reference: text,
      walletId: text,
      narration: { ...textOrNull, ...optional },
      recipientName: { ...textOrNull, ...optional },
      metadata: { ...object, ...orNull, ...optional },
      sendAt: { ...textOrNull, ...optional },
    });
    const recipient = shapeOf<RecipientInput>({
      ...account,
      accountName: { ...textOrNull, ...optional },
    });
    const someEvents = { ...list, ...optional };
    const change = shapeOf<WebhookChange>({ url: someText, events: someEvents, status: someText });
    assertTaken(order, kindsOf(bodyOf('post', 'transfers/mobile-money')));
    assertTaken(recipient, kindsOf(bodyOf('post', 'transfer-recipients/mobile-money')));
    assertTaken(shapeOf<AccountInput>(account), kindsOf(bodyOf('post', 'resolve/mobile-money')));
    assertTaken(
      shapeOf<WebhookInput>({ url: text, events: someEvents }),
      kindsOf(bodyOf('post', 'webhooks')),
    );
    assertTaken(change, kindsOf(bodyOf('patch', 'webhooks/{id}')));
    assertTaken(
      shapeOf<ReplayRange>({ ...range, state: someText }),
      kindsOf(bodyOf('post', 'webhooks/{id}/replay')),
    );
  });

  it('are what people decide about', () => {
    const approval = shapeOf<Approval>({
      kind: text,
      id: text,
      contentHash: text,
      transfer: { ...object, ...orNull },
      file: { ...object, ...orNull },
      requirements: list,
      needed: number,
      given: number,
      decisions: list,
      canApprove: list,
      iCan: flag,
      iCanReject: flag,
      whyNot: textOrNull,
      impossible: flag,
      policyVersion: { ...number, ...orNull },
      maker: { ...object, ...orNull },
      createdAt: text,
      expiresAt: textOrNull,
    });
    assert.deepEqual(approval, kindsOf(itemsOf('approvals')));
    const view = shapeOf<Readonly<{ view?: ApprovalView | undefined }> & Paging>({
      ...paging,
      view: someText,
    });
    assertTaken(view, queryOf('approvals'));
    const decision = shapeOf<DecisionInput>({
      kind: text,
      id: text,
      contentHash: text,
      decision: text,
      reason: { ...someText, ...orNull },
    });
    const decisions = at(bodyOf('post', 'approvals/decide'), 'decisions', '[]');
    assertTaken(decision, kindsOf(decisions));
  });

  it('are the filters of the lists', () => {
    const accounts = { operator: someText, country: someText };
    const transfers = shapeOf<Omit<TransferFilter, 'reference'> & Paging>({
      ...accounts,
      ...range,
      ...paging,
      status: someText,
      state: someText,
      walletId: someText,
      phone: someText,
      amountFrom: { ...number, ...optional },
      amountTo: { ...number, ...optional },
      metadata: { ...object, ...optional },
    });
    const recipients = { ...accounts, ...range, ...paging, phone: someText };
    const deliveries = { ...range, ...paging, state: someText };
    // Several references are joined by commas before they are sent.
    const { reference } = shapeOf<Pick<TransferFilter, 'reference'>>({
      reference: { ...someText, ...list },
    });
    assert.deepEqual(reference, ['absent', 'array', 'string']);
    assertTaken({ ...transfers, reference: ['absent', 'string'] }, queryOf('transfers'));
    assertTaken(shapeOf<RecipientFilter & Paging>(recipients), queryOf('transfer-recipients'));
    assertTaken(
      shapeOf<PostingFilter & Paging>({ ...range, ...paging }),
      queryOf('wallets/{id}/postings'),
    );
    assertTaken(shapeOf<DeliveryFilter & Paging>(deliveries), queryOf('webhooks/{id}/deliveries'));
    assertTaken(shapeOf<EventFilter & Paging>({ ...paging, type: someText }), queryOf('events'));
    assertTaken(shapeOf<Paging>(paging), queryOf('wallets'));
    // A boolean is sent as a word.
    const { inForce, ...lists } = shapeOf<ListEntryFilter & Paging>({
      ...paging,
      list: someText,
      q: someText,
      inForce: { ...flag, ...optional },
    });
    assert.deepEqual(inForce, ['absent', 'boolean']);
    assertTaken({ ...lists, inForce: ['absent', 'string'] }, queryOf('lists'));
  });
});

type Kinds = Readonly<Record<string, readonly string[]>>;

/** The same fields, and each may be only what the API takes. */
function assertTaken(given: Kinds, taken: Kinds): void {
  assert.deepEqual(Object.keys(given).sort(), Object.keys(taken).sort());
  for (const [field, kinds] of Object.entries(given)) {
    for (const kind of kinds) assert.ok(taken[field]?.includes(kind), `${field}: ${kind}`);
  }
}
