import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach } from 'node:test';
import { formatMinor } from '../src/domain/money.ts';
import { type Outcome, REPORTED_FIELDS } from '../src/domain/outcome.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import type { Connector } from '../src/operators/contract/connector.ts';
import { PAWAPAY } from '../src/operators/pawapay/connector.ts';
import type { Database, Row } from '../src/postgres/database.ts';
import { applyCallbacks } from '../src/transfers/callbacks/apply-callbacks.ts';
import { type NewCallback, storeCallbacks } from '../src/transfers/callbacks/store-callbacks.ts';
import { finalRoutes, type TakenCallback } from '../src/transfers/callbacks/take-as-answer.ts';
import { firstBook } from '../src/transfers/move/claim-walk.ts';
import { findAnyTransfer } from '../src/transfers/read/find-any-transfer.ts';
import { readExchanges } from '../src/transfers/read/read-exchanges.ts';
import { claimDue } from './claim-due.ts';
import { createDispatchProcess } from './dispatch-process.ts';
import { scriptRoutes } from './fake-route.ts';
import { connectorDeps, pawapaySettings } from './fakes/fake-pawapay.ts';
import { openResolutionWorld } from './resolution-world.ts';
import { storeDoubt } from './stored-doubt.ts';

export const CALLED_ROUTE = 'pawapay-mtn-zm';
/** Another route of the same account. */
export const ROUTE_BESIDE = 'pawapay-airtel-zm';
const ACCOUNT = 'account-1';
const NAMES = [CALLED_ROUTE, ROUTE_BESIDE];

/** What callbacks say instead of COMPLETED. */
export const SAYS_FAILED = {
  status: 'FAILED',
  failureReason: { failureCode: 'RECIPIENT_NOT_FOUND' },
};
/** The answers to inquiries that mean the same. */
export const ANSWERED_PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'MP-1',
  confirmed: REPORTED_FIELDS,
};
export const ANSWERED_FAILED: Outcome = {
  kind: 'rejected',
  failure: 'RECIPIENT_NOT_FOUND',
  cause: 'FAILED RECIPIENT_NOT_FOUND',
};
const PENDING: Outcome = { kind: 'pending', inquireInMs: 1_000 };

const CLAIMS: Readonly<Record<string, string>> = { COMPLETED: 'paid', FAILED: 'failed' };

type ProcessOptions = Readonly<{
  /** Whether its routes declare that signed callbacks are final. */
  isFinal?: boolean;
  account?: string;
  inquire?: () => Outcome;
  database?: Database;
}>;

/** Changes to a callback of pawaPay that is verified and complete. `says` changes its body. */
export type Given = Partial<NewCallback> & { says?: object };

/** Transfers that were sent to pawaPay, its callbacks about them, and processes that read these. */
export function openCallbackWorld() {
  const people = openResolutionWorld();
  const ask = <R extends Row>(text: string, values: readonly unknown[] = []) =>
    people.database.query<R>({ name: '', text }, values);
  afterEach(async () => {
    // The processes of the next test must find none of this one's work.
    await ask('update transfers set next_action_at = null');
    await ask(
      `update callbacks set handled_at = now(), handled_as = 'TEST' where handled_at is null`,
    );
  });
  const change = ({ id }: Transfer, assignments: string) =>
    ask(`update transfers set ${assignments} where id = $1`, [id]);
  const read = async ({ id }: Transfer) => (await findAnyTransfer(people.database, id)).transfer;

  /** Sent, answered, and not due for an hour. */
  async function storeSent(state = 'submitted', more = ''): Promise<Transfer> {
    const doubt = await storeDoubt(people.database, { route: CALLED_ROUTE });
    const since = state === 'in_doubt' ? '' : ', in_doubt_since = null, doubt_kind = null';
    await change(
      doubt,
      `state = '${state}', route_account = '${ACCOUNT}', lease_owner = null,
       next_action_at = now() + interval '1 hour' ${since} ${more}`,
    );
    return read(doubt);
  }

  async function call(transfer: Transfer, given: Given = {}): Promise<string> {
    const callback = callbackAbout(transfer, given);
    assert.deepEqual(await storeCallbacks(people.database, [callback]), [true]);
    return callback.id;
  }

  async function columnOf(table: string, column: string, id: string): Promise<string | null> {
    const [row] = await ask<{ value: string | null }>(
      `select ${column} as value from ${table} where id = $1`,
      [id],
    );
    return row?.value ?? null;
  }

  const handledAs = (id: string) => columnOf('callbacks', 'handled_as', id);
  const attemptsOf = ({ bookId, id: transferId }: Transfer) =>
    readExchanges(people.database, { bookId, transferId, max: 10 });

  /** Nothing was recorded, and an inquiry is due. */
  async function assertHint(transfer: Transfer, callback: string): Promise<void> {
    const { state, nextActionAt, eventSeq } = await read(transfer);
    assert.deepEqual([state, eventSeq], [transfer.state, transfer.eventSeq]);
    assert.ok(nextActionAt !== null && nextActionAt <= new Date(), 'an inquiry is due');
    assert.equal(await columnOf('transfers', 'lease_owner', transfer.id), null);
    assert.equal(await handledAs(callback), 'INQUIRED');
    assert.deepEqual(await attemptsOf(transfer), []);
  }

  async function incidentsOf({ id }: Transfer): Promise<readonly string[]> {
    const text = 'select kind from incidents where transfer_id = $1';
    return (await ask<{ kind: string }>(text, [id])).map(({ kind }) => kind);
  }

  return {
    people,
    get database() {
      return people.database;
    },
    openProcess: (options: ProcessOptions = {}) => openProcess(people.database, options),
    ask,
    change,
    read,
    storeSent,
    call,
    handledAs,
    attemptsOf,
    assertHint,
    incidentsOf,
  };
}

export function callbackAbout(
  transfer: Transfer,
  { says = {}, ...given }: Given = {},
): NewCallback {
  const { operatorReference, amountMinor, currency, phone } = transfer;
  const body = {
    payoutId: operatorReference,
    status: 'COMPLETED',
    amount: formatMinor(amountMinor),
    currency,
    recipient: { type: 'MMO', accountDetails: { phoneNumber: phone.slice(1) } },
    providerTransactionId: 'MP-1',
    ...says,
  };
  return {
    id: randomUUID(),
    route: CALLED_ROUTE,
    method: 'POST',
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    reading: 'read',
    cause: null,
    operatorReference,
    claims: CLAIMS[body.status] ?? 'pending',
    verified: true,
    reported: { amountMinor, currency, phone },
    receivedAt: new Date(),
    ...given,
  };
}

/** A process with two routes of one account, which reads callbacks as the real connector does. */
function openProcess(shared: Database, options: ProcessOptions) {
  const { isFinal = true, account = ACCOUNT, inquire = () => PENDING, database = shared } = options;
  const settings = pawapaySettings('http://127.0.0.1:9', {
    callbackSignatures: 'required',
    signedCallbacksAreFinal: true,
  });
  const connector = PAWAPAY.create(settings, connectorDeps());
  const wire = { request: 'GET /v2/payouts', httpStatus: 200, answer: '{}', elapsedMs: 1 };
  const abilities = { signedCallbacksAreFinal: isFinal };
  const script = { account: () => account, inquire, wire, abilities };
  const readAnswer: Connector['readAnswer'] = (callback, payout) =>
    connector.readAnswer?.(callback, payout) ?? assert.fail();
  const operator = scriptRoutes(NAMES.map((name) => ({ ...script, readAnswer, name })));
  const started = createDispatchProcess({ database }, operator);
  const { leaseOwner, dispatcher } = started;
  const families = new Map(NAMES.map((name) => [name, 'pawapay']));
  const take = () => {
    const taker = { leaseOwner, routes: finalRoutes(operator.routes) };
    return applyCallbacks(database, { at: new Date(), families, taker });
  };
  const answer = async (taken: readonly TakenCallback[]) => {
    await Promise.all(taken.map(dispatcher.answer));
  };
  /** As the callback reader does. */
  const apply = async () => {
    const { handled, taken } = await take();
    await answer(taken);
    return { handled, taken: taken.length };
  };
  /** As the scanner does. */
  const inquireDue = async (): Promise<readonly string[]> => {
    const claim = { route: CALLED_ROUTE, due: 'inquiry', leaseOwner, max: 100 } as const;
    const { transfers } = await claimDue(database, { ...claim, afterBook: firstBook() });
    for (const transfer of transfers) dispatcher.inquire(transfer);
    await dispatcher.idle();
    return transfers.map(({ id }) => id);
  };
  return { ...started, operator, take, answer, apply, inquireDue };
}
