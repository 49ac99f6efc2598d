import { causeOf } from '../../domain/cause.ts';
import { recordFirstEvent } from '../../events/record-events.ts';
import { HOLD_ONE, MAY_FALL_BELOW_MARK, STAYS_ABOVE_MARK } from '../../ledger/hold-one.ts';
import { LOCKED_COLUMNS } from '../../ledger/wallet-legs.ts';
import { prepareGroup } from '../../postgres/bad-command.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { AcceptedTransfer } from './prepared-transfer.ts';

/** needsGroup: this statement did not judge it, and the one for groups must. */
export type StoredAlone = 'stored' | 'refused' | 'needsGroup';

/**
 * What store-transfers.ts does for a group, for a transfer that came alone and has no options. A client that sends one
 * call after the other waits for this statement. PostgreSQL prepares the many steps of the one for groups in 0.3 ms,
 * and nearly half of that is saved. A transfer that takes its wallet below the low-balance mark needs an event more, and
 * so the statement for groups.
 */
export async function storeOneTransfer(
  database: Queryable,
  alone: Readonly<{ accepted: AcceptedTransfer; leaseOwner: string; at: Date }>,
): Promise<StoredAlone> {
  const values = prepareGroup(() => describeTransfer(alone));
  const [row] = await database.query<{ stored: boolean; may_fall: boolean }>(STORE, values);
  if (row?.stored === true) return 'stored';
  return row?.may_fall === true ? 'needsGroup' : 'refused';
}

function describeTransfer({
  accepted: { transfer, idempotencyKey, nextActionInMs, actor },
  leaseOwner,
  at,
}: Parameters<typeof storeOneTransfer>[1]): readonly unknown[] {
  return [
    transfer.bookId,
    transfer.id,
    transfer.walletId,
    transfer.reference,
    idempotencyKey,
    transfer.state,
    transfer.amountMinor,
    transfer.feeMinor,
    transfer.currency,
    transfer.phone,
    transfer.operator,
    transfer.country,
    transfer.recipientName,
    transfer.narration,
    transfer.operatorReference,
    nextActionInMs,
    actor,
    transfer.route,
    transfer.routeAccount,
    leaseOwner,
    at,
  ];
}

const STORE: Statement = {
  name: 'store-one-transfer',
  text: `
    with locked as materialized (
      select ${LOCKED_COLUMNS}
      from wallets w
      where w.book_id = $1::uuid and w.id = $3::uuid
      for update
    ),
    accepted as materialized (
      select w.*, $2::uuid as id, $7::bigint + $8::bigint as total_minor, $21::timestamptz as at
      from locked w
      where w.status = 'active'
        and w.currency = $9::text
        and w.available_minor >= $7::bigint + $8::bigint
        and (
          w.daily_limit_minor is null
          or w.daily_limit_minor >= w.day_total_minor + $7::bigint + $8::bigint
        )
        and w.controls_version is null
        and ${STAYS_ABOVE_MARK}
    ),
    inserted as (
      insert into transfers (
        book_id, id, wallet_id, reference, idempotency_key, state, amount_minor, fee_minor, currency,
        phone, operator, country, recipient_name, narration, route, route_account,
        operator_reference, event_seq,
        lease_owner, first_submitted_at, next_action_at, created_at, updated_at
      )
      select a.book_id, a.id, a.wallet_id, $4::text, $5::text, $6::text, $7::bigint, $8::bigint,
             a.currency, $10::text, $11::text, $12::text, $13::text, $14::text, $18::text, $19::text,
             $15::uuid, 1,
             case when $6::text = 'submitting' then $20::uuid end,
             case when $6::text = 'submitting' then now() end,
             now() + $16::integer * interval '1 ms', a.at, a.at
      from accepted a
    ),
    ${HOLD_ONE},
    ${recordFirstEvent(`
      select a.book_id, a.id, 1, 'transfer.created', null, $6::text, '${causeOf('ACCEPTED')}', $17::text, a.at, true
      from accepted a`)}
    select a.id is not null as stored, ${MAY_FALL_BELOW_MARK} as may_fall
    from locked w left join accepted a on true`,
};
