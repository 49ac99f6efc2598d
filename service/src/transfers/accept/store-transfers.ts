import { recordEvents } from '../../events/record-events.ts';
import {
  FIND_LOW_BALANCES,
  HOLD_LEGS,
  LOCK_WALLETS,
  LOW_BALANCE_EVENTS,
  POST_LEGS,
} from '../../ledger/wallet-legs.ts';
import { bareArray, quotedArray } from '../../postgres/array-text.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { AcceptedTransfer } from './prepared-transfer.ts';
import { storeOneTransfer } from './store-one-transfer.ts';
import {
  ALL_OPTIONS,
  CONTROLS_ONLY,
  chooseOptions,
  describeAll,
  describeControls,
  NO_OPTIONS,
  type OptionsKind,
  type StoreOptions,
} from './store-options.ts';

/**
 * Stores transfers of any books and wallets with their holds, postings and first events: all of them by one statement,
 * or none. It stores none and returns false when a wallet is missing, frozen, in another currency, short or over its
 * limit, or a payout file is not this process's to pay any more. A reference or Idempotency-Key that is taken violates
 * its unique index. In both cases the caller then decides the commands one by one.
 *
 * One statement per group instead of one transaction per transfer is what makes a hot wallet fast.
 */
export async function storeTransfers(
  database: Queryable,
  group: Readonly<{ accepted: readonly AcceptedTransfer[]; leaseOwner: string; at: Date }>,
): Promise<boolean> {
  const { accepted, leaseOwner, at } = group;
  const options = chooseOptions(accepted);
  const [first] = accepted;
  if (first !== undefined && accepted.length === 1 && options === 'none') {
    const alone = await storeOneTransfer(database, { accepted: first, leaseOwner, at });
    if (alone !== 'needsGroup') return alone === 'stored';
  }
  const { statement, describeMore } = STORES[options];
  const values = prepareGroup(() => [...describeTransfers(group), ...describeMore(group.accepted)]);
  const rows = await database.query<{ fits: boolean }>(statement, values);
  return rows[0]?.fits === true;
}

function describeTransfers({
  accepted,
  leaseOwner,
  at,
}: Readonly<{
  accepted: readonly AcceptedTransfer[];
  leaseOwner: string;
  at: Date;
}>): readonly unknown[] {
  return [
    bareArray(accepted.map(({ transfer }) => transfer.bookId)),
    bareArray(accepted.map(({ transfer }) => transfer.id)),
    bareArray(accepted.map(({ transfer }) => transfer.walletId)),
    quotedArray(accepted.map(({ transfer }) => transfer.reference)),
    quotedArray(accepted.map(({ idempotencyKey }) => idempotencyKey)),
    bareArray(accepted.map(({ transfer }) => transfer.state)),
    bareArray(accepted.map(({ transfer }) => transfer.amountMinor)),
    bareArray(accepted.map(({ transfer }) => transfer.feeMinor)),
    bareArray(accepted.map(({ transfer }) => transfer.currency)),
    bareArray(accepted.map(({ transfer }) => transfer.phone)),
    bareArray(accepted.map(({ transfer }) => transfer.operator)),
    bareArray(accepted.map(({ transfer }) => transfer.country)),
    quotedArray(accepted.map(({ transfer }) => transfer.recipientName)),
    quotedArray(accepted.map(({ transfer }) => transfer.narration)),
    bareArray(accepted.map(({ transfer }) => transfer.operatorReference)),
    bareArray(accepted.map(({ nextActionInMs }) => nextActionInMs)),
    quotedArray(accepted.map(({ actor }) => actor)),
    quotedArray(accepted.map(({ transfer }) => transfer.route)),
    bareArray(accepted.map(({ transfer }) => transfer.routeAccount)),
    leaseOwner,
    at,
  ];
}

// Leases and next actions are in the database's time, which all processes share.
function storeStatement(name: string, options: StoreOptions): Statement {
  return {
    name,
    text: `
    with input as materialized (
      select *
      from unnest(
        $1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[],
        $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
        $15::uuid[], $16::integer[], $17::text[], $18::text[],
        $19::text[]${options.arrays}
      ) with ordinality as t (
        book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
        phone, operator, country, recipient_name, narration, operator_reference, next_action_in_ms,
        actor, route, route_account${options.names}, ord
      )
    ),
    clock as (select $21::timestamptz as at),
    touched as (
      select book_id, wallet_id, sum(amount_minor + fee_minor)::bigint as total_minor,
             min(currency) as currency, max(currency) as other_currency${options.touched}
      from input
      group by book_id, wallet_id
    ),
    ${LOCK_WALLETS},
    verdict as materialized (
      select count(*) = 0 as fits
      from touched i
      left join locked w on w.book_id = i.book_id and w.wallet_id = i.wallet_id
      where w.wallet_id is null
         or w.status <> 'active'
         or w.currency <> i.currency
         or w.currency <> i.other_currency
         or w.available_minor < i.total_minor
         or w.daily_limit_minor < w.day_total_minor + i.total_minor
         or ${options.isJudgedOtherwise}
    ),
    stored as materialized (
      select i.book_id, i.wallet_id, i.ord, i.id, i.amount_minor + i.fee_minor as total_minor
      from input i
      where (select fits from verdict)
    ),
    inserted as (
      insert into transfers (
        book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
        phone, operator, country, recipient_name, narration, route, route_account,
        operator_reference, event_seq,
        lease_owner, first_submitted_at, next_action_at, created_at, updated_at${options.columns}
      )
      select i.book_id, i.id, i.wallet_id, i.reference, i.idempotency_key, i.state, i.amount_minor,
             i.fee_minor, i.currency, i.phone, i.operator, i.country, i.recipient_name, i.narration,
             i.route, i.route_account, i.operator_reference, ${options.eventSeq},
             case when i.state = 'submitting' then $20::uuid end,
             case when i.state = 'submitting' then now() end,
             ${options.nextActionAt}, c.at, c.at${options.values}
      from input i cross join clock c
      where (select fits from verdict)
      -- In one order: processes that store the same references would otherwise wait for each other.
      order by i.book_id, i.reference collate "C"
    ),
    ${options.keepMore}
    ${HOLD_LEGS},
    ${POST_LEGS},
    ${FIND_LOW_BALANCES},
    ${recordEvents(`
      ${options.events}
      union all
      ${LOW_BALANCE_EVENTS}`)}
    select fits from verdict`,
  };
}

type Store = Readonly<{
  statement: Statement;
  describeMore: (accepted: readonly AcceptedTransfer[]) => readonly unknown[];
}>;

// Several statements, so that a transfer pays nothing for what it does not have.
const STORES: Readonly<Record<OptionsKind, Store>> = {
  none: { statement: storeStatement('store-transfers', NO_OPTIONS), describeMore: () => [] },
  controls: {
    statement: storeStatement('store-transfers-under-controls', CONTROLS_ONLY),
    describeMore: describeControls,
  },
  all: {
    statement: storeStatement('store-transfers-with-options', ALL_OPTIONS),
    describeMore: describeAll,
  },
};
