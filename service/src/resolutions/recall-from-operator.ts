import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { RECALLED_INQUIRY_MS } from '../domain/doubt-schedule.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import type { Connector, ConnectorReply } from '../operators/contract/connector.ts';
import type { WireRecord } from '../operators/wire/wire-record.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  attemptColumns,
  keepAttempts,
  type OperatorExchange,
} from '../transfers/move/keep-attempts.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** The operator may have it, or has paid it. */
const RECALLABLE: readonly TransferState[] = ['submitted', 'in_doubt', 'succeeded'];
/** Some operators' sessions take half a minute to become live, and this process has none yet. A database may restart. */
const TRIES_MAX = 10;
const TRY_AGAIN_MS = 5_000;
export type RecallDeps = PeopleDeps &
  Readonly<{
    /** The connector of the route that the transfer took; undefined when it is not known here. */
    connectorOf: (route: string) => Connector | undefined;
    wait: (ms: number) => Promise<void>;
    /** Told why the operator could not be asked yet. */
    onWait: (cause: string) => void;
  }>;

export type Recalled = Readonly<{ transfer: Transfer; reply: ConnectorReply }>;

/**
 * Asks the operator to take a payout back, and keeps what it answered. The answer changes nothing: only
 * the inquiry that follows, by the service, or two people with evidence, can say that money returned.
 */
export async function recallFromOperator(
  deps: RecallDeps,
  request: Readonly<{ actor: PersonActor; id: string }>,
): Promise<Recalled> {
  const { actor } = request;
  // Recorded before anything is sent, in a transaction that ends before the network begins. The inquiry is planned in it
  // too, so another process inquires about the recall when this one dies.
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
    await count(tx, transfer);
    return { transfer, connector };
  });
  const reply = await ask(deps, connector, transfer);
  // A recall that was not sent must not be kept as one: a paid transfer would be inquired about for days.
  if (reply.wire === null) await deps.database.query(UNCOUNT, [transfer.bookId, transfer.id]);
  else await keep(deps, transfer, { outcome: reply.outcome, wire: reply.wire });
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

async function ask(
  deps: RecallDeps,
  connector: Recalling,
  transfer: Transfer,
): Promise<ConnectorReply> {
  const known = { operatorTransactionId: transfer.operatorTransactionId };
  for (let tries = 1; ; tries += 1) {
    const reply = await connector.recall(transfer, known);
    // Nothing went over the wire: the connector was not ready.
    if (reply.wire !== null || tries === TRIES_MAX) return reply;
    deps.onWait('cause' in reply.outcome ? reply.outcome.cause : 'the operator was not asked yet');
    await deps.wait(TRY_AGAIN_MS);
  }
}

/** By the row: the transfer may have ended since it was read. */
async function count(tx: Queryable, transfer: Transfer): Promise<void> {
  const { bookId, id } = transfer;
  const values = [bookId, id, RECALLABLE, RECALLED_INQUIRY_MS];
  if ((await tx.query(COUNT, values)).length === 1) return;
  const { state } = (await findAnyTransfer(tx, id)).transfer;
  throw new AdminRefused('RECALL_STATE', { state });
}

async function keep(
  deps: RecallDeps,
  transfer: Transfer,
  { outcome, wire }: Readonly<{ outcome: ConnectorReply['outcome']; wire: WireRecord }>,
): Promise<void> {
  const { bookId, id, route } = transfer;
  const attempt: OperatorExchange = {
    id: deps.newId(),
    route,
    purpose: 'recall',
    outcome: outcome.kind,
    wire,
  };
  const values = [bookId, id, RECALLABLE, RECALLED_INQUIRY_MS, deps.now()];
  const columns = attemptColumns([{ transfer, attempt }]);
  for (let tries = 1; ; tries += 1) {
    try {
      await deps.database.query(KEEP, [...values, ...columns]);
      return;
    } catch (cause) {
      // The operator was asked: what it answered is shown by nothing else.
      if (tries === TRIES_MAX) throw cause;
      deps.onWait('what the operator answered could not be kept yet');
      await deps.wait(TRY_AGAIN_MS);
    }
  }
}

// A process that works on the transfer now inquires anyway, and the row plans another inquiry after a success. If the
// transfer is paid, that process loses its lease: its answer may be from before the recall, and no inquiry would follow.
// The schedule of inquiries begins anew.
const INQUIRE_SOON = `
      next_action_at = case
        when t.lease_owner is null
        then least(t.next_action_at, now() + $4::integer * interval '1 ms')
        when t.state = 'succeeded' then now() + $4::integer * interval '1 ms'
        else t.next_action_at
      end,
      lease_owner = case when t.state = 'succeeded' then null else t.lease_owner end,
      checks = case when t.state = 'succeeded' then 0 else t.checks end`;
const IS_RECALLED = 't.book_id = $1 and t.id = $2 and t.state = any ($3::text[])';

const COUNT: Statement = {
  name: '',
  text: `
    update transfers t set recalls = t.recalls + 1,${INQUIRE_SOON}
    where ${IS_RECALLED}
    returning t.id`,
};

const UNCOUNT: Statement = {
  name: '',
  text: `
    update transfers t set recalls = t.recalls - 1
    where t.book_id = $1 and t.id = $2 and t.recalls > 0`,
};

const ATTEMPTS_FROM_PARAMETER = 6;

// Again when it was asked: it may have taken a while to become possible.
const KEEP: Statement = {
  name: '',
  text: `
    with clock as (select $5::timestamptz as at),
    hurried as (update transfers t set${INQUIRE_SOON} where ${IS_RECALLED}),
    ${keepAttempts(ATTEMPTS_FROM_PARAMETER)}
    select 1`,
};
