import { authenticateAdministrator } from '../administrators/authenticate-administrator.ts';
import { noteAct } from '../administrators/note-act.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Connector, Reply } from '../operators/contract/connector.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type Attempt, attemptColumns, keepAttempts } from '../transfers/move/keep-attempts.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** The operator may have it, or has paid it. */
const RECALLABLE: readonly TransferState[] = ['submitted', 'in_doubt', 'succeeded'];
/** Some operators' sessions take half a minute to become live, and this process has none yet. */
const TRIES_MAX = 10;
const TRY_AGAIN_MS = 5_000;
/** When the operator is asked what became of it. */
const ASK_AFTER_MS = 5_000;

export type RecallDeps = PeopleDeps &
  Readonly<{
    /** The connector of the route that the transfer took; undefined when it is not known here. */
    connectorOf: (route: string) => Connector | undefined;
    wait: (ms: number) => Promise<void>;
    /** Told why the operator could not be asked yet. */
    onWait: (cause: string) => void;
  }>;

export type Recalled = Readonly<{ transfer: Transfer; reply: Reply }>;

/**
 * Asks the operator to take a payout back, and keeps what it answered. The answer changes nothing: only
 * the inquiry that follows, by the service, or two people with evidence, can say that money returned.
 */
export async function recallTransfer(
  deps: RecallDeps,
  request: Readonly<{ id: string; key: string | undefined }>,
): Promise<Recalled> {
  // Noted before anything is sent, in a transaction that ends before the network begins.
  const { transfer, connector } = await deps.database.transaction(async (tx) => {
    const administrator = await authenticateAdministrator(tx, request.key);
    const { transfer } = await findAnyTransfer(tx, request.id);
    const connector = findConnector(deps, transfer);
    const noted = { act: 'transfers recall', subject: transfer.id, detail: null };
    await noteAct(tx, deps, { administrator, ...noted });
    await tx.query(NEVER_AGAIN, [transfer.bookId, transfer.id]);
    return { transfer, connector };
  });
  const reply = await ask(deps, connector, transfer);
  await keep(deps, transfer, reply);
  return { transfer, reply };
}

type Recalling = Connector & Required<Pick<Connector, 'recall'>>;

function findConnector(deps: RecallDeps, transfer: Transfer): Recalling {
  if (!RECALLABLE.includes(transfer.state)) {
    throw new AdminRefused(
      `The transfer is ${transfer.state}, so there is nothing that the operator could take back.`,
      'One that is queued can be cancelled by the merchant. "transfers show ID" tells what happened.',
    );
  }
  const connector = deps.connectorOf(transfer.route);
  if (connector === undefined) {
    throw new AdminRefused(
      `The route ${transfer.route} is not in ROUTES_FILE, so its operator cannot be asked.`,
      'Set ROUTES_FILE to the route file of the service. Transfers of test books have no operator.',
    );
  }
  if (!canRecall(connector)) {
    throw new AdminRefused(
      `The operator behind ${transfer.route} has no way to take a payout back.`,
      'Ask its support, and record money that came back with "transfers reverse".',
    );
  }
  return connector;
}

function canRecall(connector: Connector): connector is Recalling {
  return connector.recall !== undefined;
}

async function ask(deps: RecallDeps, connector: Recalling, transfer: Transfer): Promise<Reply> {
  const known = { operatorTransactionId: transfer.operatorTransactionId };
  for (let tries = 1; ; tries += 1) {
    const reply = await connector.recall(transfer, known);
    // Nothing went over the wire: the connector was not ready.
    if (reply.wire !== null || tries === TRIES_MAX) return reply;
    deps.onWait('cause' in reply.outcome ? reply.outcome.cause : 'the operator was not asked yet');
    await deps.wait(TRY_AGAIN_MS);
  }
}

async function keep(deps: RecallDeps, transfer: Transfer, reply: Reply): Promise<void> {
  if (reply.wire === null) return;
  const attempt: Attempt = {
    id: deps.newId(),
    route: transfer.route,
    purpose: 'recall',
    outcome: reply.outcome.kind,
    wire: reply.wire,
  };
  await keepExchange(deps.database, { transfer, attempt, at: deps.now() });
}

async function keepExchange(
  database: Queryable,
  exchange: Readonly<{ transfer: Transfer; attempt: Attempt; at: Date }>,
): Promise<void> {
  const { transfer, attempt, at } = exchange;
  await database.query(KEEP, [
    at,
    transfer.bookId,
    transfer.id,
    RECALLABLE,
    ASK_AFTER_MS,
    ...attemptColumns([{ transfer, attempt }]),
  ]);
}

// What the operator is asked to take back must not be submitted again when it says that it does not know it.
const NEVER_AGAIN: Statement = {
  name: '',
  text: 'update transfers set first_submitted_at = null where book_id = $1 and id = $2',
};

const ATTEMPTS_FROM_PARAMETER = 6;

// Whoever is acting on the transfer right now asks the operator anyway.
const KEEP: Statement = {
  name: '',
  text: `
    with clock as (select $1::timestamptz as at),
    hurried as (
      update transfers t
      set next_action_at = least(t.next_action_at, now() + $5::integer * interval '1 ms')
      where t.book_id = $2 and t.id = $3 and t.state = any ($4::text[]) and t.lease_owner is null
    ),
    ${keepAttempts(ATTEMPTS_FROM_PARAMETER)}
    select 1`,
};
