import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
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
  request: Readonly<{ actor: PersonActor; id: string }>,
): Promise<Recalled> {
  const { actor } = request;
  // Recorded before anything is sent, in a transaction that ends before the network begins.
  const { transfer, connector } = await actAs(deps, actor, async (tx) => {
    const { transfer, merchantId } = await findAnyTransfer(tx, request.id);
    const connector = findConnector(deps, transfer);
    const { state, route } = transfer;
    await recordAct(tx, deps, {
      actor,
      kind: 'TRANSFER_RECALLED',
      subject: transfer.id,
      merchantId,
      bookId: transfer.bookId,
      reason: null,
      before: { state, route },
      after: { state, route },
    });
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
    throw new AdminRefused('RECALL_STATE', { state: transfer.state });
  }
  const connector = deps.connectorOf(transfer.route);
  const { route } = transfer;
  if (connector === undefined) throw new AdminRefused('RECALL_ROUTE_UNKNOWN', { route });
  if (!canRecall(connector)) throw new AdminRefused('RECALL_UNSUPPORTED', { route });
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

// A process that acts on the transfer now inquires anyway. Of one that is paid it loses the lease: what it hears may be
// from before the recall, and after it nothing would be asked. The schedule of inquiries begins anew.
const KEEP: Statement = {
  name: '',
  text: `
    with clock as (select $1::timestamptz as at),
    hurried as (
      update transfers t
      set next_action_at = case
            when t.lease_owner is null
            then least(t.next_action_at, now() + $5::integer * interval '1 ms')
            else now() + $5::integer * interval '1 ms'
          end,
          lease_owner = null,
          checks = case when t.state = 'succeeded' then 0 else t.checks end
      where t.book_id = $2 and t.id = $3 and t.state = any ($4::text[])
        and (t.lease_owner is null or t.state = 'succeeded')
    ),
    ${keepAttempts(ATTEMPTS_FROM_PARAMETER)}
    select 1`,
};
