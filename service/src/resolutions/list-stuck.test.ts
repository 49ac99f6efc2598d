import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createTransfer, type Ledger, withLedger } from '../../test/every-state-ledger.ts';
import { storeFile } from '../../test/stored-file.ts';
import { HELD_BACK_REASONS } from '../domain/held-back.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import { findHeldBack } from '../timelines/find-held-back.ts';
import { readHistory } from '../transfers/read/read-history.ts';
import type { TroubleFilter } from '../transfers/read/trouble-filter.ts';
import { listStuck, type Stuck } from './list-stuck.ts';

const ALL: TroubleFilter = { mode: null, merchantId: null, operator: null };

const WAIT_FOR_PERSON = `
  update payout_files
  set state = 'awaiting_approval', content_hash = repeat('0', 64), submitted_at = now(),
      next_action_at = now() + interval '7 days', approval_expires_at = now() + interval '7 days'
  where id = $1`;
const CANCEL = `
  update payout_files
  set state = 'cancelled', approval_expires_at = null, ended_at = now(), ended_as = 'APPROVAL_REJECTED', ended_by = 'test'
  where id = $1`;

describe('what is stuck', { concurrency: 4 }, () => {
  const update = async (ledger: Ledger, id: string, set: string): Promise<void> => {
    await ledger.database.query({ name: '', text: `update transfers set ${set} where id = $1` }, [
      id,
    ]);
  };
  const find = async (ledger: Ledger, id: string): Promise<Stuck | undefined> => {
    const { stuck } = await listStuck(ledger.database, ALL);
    return stuck.find((one) => one.id === id);
  };
  const finished: readonly TransferState[] = ['succeeded', 'failed', 'cancelled', 'reversed'];

  it('is every doubt, and nothing that progresses as it should', () =>
    withLedger(async (ledger) => {
      const { transferIds, database } = ledger;
      await update(ledger, transferIds.submitting, `next_action_at = now() + interval '9 s'`);
      await update(ledger, transferIds.queued, `next_action_at = now() - interval '59 s'`);
      await update(ledger, transferIds.submitted, `updated_at = now() - interval '59 min'`);
      const { stuck, more } = await listStuck(database, ALL);
      assert.deepEqual(
        stuck.map(({ id }) => id),
        [transferIds.in_doubt],
      );
      assert.equal(more, false);
      const [doubt] = stuck;
      assert.equal(doubt?.merchant, 'M');
      assert.equal(doubt?.mode, 'live');
      assert.equal(doubt?.amountMinor, 1_000n);
      assert.equal(doubt?.operator, 'mtn');
      assert.equal(doubt?.state, 'in_doubt');
    }));

  it('is a doubt with the time of the next inquiry, or one that needs a person once flagged', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.in_doubt;
      await update(ledger, id, `checks = 3, next_action_at = '2030-01-01T00:00:00Z'`);
      const open = await find(ledger, id);
      assert.equal(open?.reason, 'DOUBT_OPEN');
      assert.equal(open?.checks, 3);
      assert.equal(open?.nextActionAt?.toISOString(), '2030-01-01T00:00:00.000Z');
      assert.equal(open?.flagged, false);
      await update(ledger, id, 'next_action_at = null, flagged_at = now()');
      const flagged = await find(ledger, id);
      assert.equal(flagged?.flagged, true);
      assert.equal(flagged?.reason, 'DOUBT_NEEDS_PERSON');
      assert.equal(flagged?.nextActionAt, null);
    }));

  it('is a doubt with its kind, and needs a person where no answer is expected to end it', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.in_doubt;
      await update(ledger, id, `doubt_kind = 'NOT_FOUND', next_action_at = '2030-01-01T00:00:00Z'`);
      const lost = await find(ledger, id);
      assert.deepEqual([lost?.doubtKind, lost?.reason], ['NOT_FOUND', 'DOUBT_OPEN']);
      await update(ledger, id, `contradictions = '{amount}'`);
      const contradicted = await find(ledger, id);
      assert.equal(contradicted?.reason, 'DOUBT_NEEDS_PERSON');
      assert.equal(contradicted?.nextActionAt?.getUTCFullYear(), 2030);
    }));

  it('is a submission past its lease', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.submitting;
      await update(ledger, id, `next_action_at = now() - interval '1 s'`);
      assert.equal((await find(ledger, id))?.reason, 'SENDER_STOPPED');
    }));

  it('is a queued transfer a minute past its time, or one without a next action', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.queued;
      await update(ledger, id, `next_action_at = now() - interval '61 s'`);
      assert.equal((await find(ledger, id))?.reason, 'NOT_TAKEN');
      const lost = `next_action_at = null, updated_at = now() - interval '61 s'`;
      await update(ledger, id, lost);
      assert.equal((await find(ledger, id))?.reason, 'NOT_TAKEN');
    }));

  it('is a queued transfer that is tried again and again, and whose amount no route takes', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.queued;
      const tried = `next_action_at = now() + interval '1 s'`;
      await update(ledger, id, `updated_at = now() - interval '59 s', ${tried}`);
      assert.equal(await find(ledger, id), undefined);
      await update(ledger, id, `updated_at = now() - interval '2 h', ${tried}`);
      const { reason, since } = (await find(ledger, id)) ?? {};
      assert.equal(reason, 'NOT_TAKEN');
      assert.ok((since?.getTime() ?? 0) < Date.now() - 7_000_000, 'since it was queued');
    }));

  it('is a scheduled transfer a minute past its time, also with a lease', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.scheduled;
      const claimed = `next_action_at = now() + interval '3 s'`;
      await update(ledger, id, `send_at = now() - interval '59 s', ${claimed}`);
      assert.equal(await find(ledger, id), undefined);
      await update(ledger, id, `send_at = now() - interval '61 s'`);
      assert.equal((await find(ledger, id))?.reason, 'NOT_QUEUED');
      await ledger.database.query({ name: '', text: 'update books set suspended_at = now()' });
      assert.equal((await find(ledger, id))?.reason, 'MERCHANT_SUSPENDED');
    }));

  /** A transfer that waits for a person, with the events by which it came to wait, the last one last. */
  async function storeHeldBack(
    { database, bookId, walletId }: Ledger,
    moves: readonly Readonly<{ from: TransferState; to: TransferState; cause: string }>[],
  ): Promise<string> {
    const way = ['scheduled'] as const;
    const id = await createTransfer(database, { bookId, walletId, way, feeMinor: 0n });
    const state = `update transfers set state = 'awaiting_approval', flagged_at = now() where id = $1`;
    await database.query({ name: '', text: state }, [id]);
    const text = `
      insert into events (book_id, subject_id, seq, from_state, to_state, cause, actor, created_at)
      values ($1, $2, $3, $4, $5, $6, 'test', now())`;
    for (const [index, { from, to, cause }] of moves.entries()) {
      await database.query({ name: '', text }, [bookId, id, index + 2, from, to, cause]);
    }
    return id;
  }
  const heldBackBy = (cause: string) =>
    ({ from: 'queued', to: 'awaiting_approval', cause }) as const;
  const APPROVED = {
    from: 'awaiting_approval',
    to: 'queued',
    cause: 'APPROVED_BY_PEOPLE',
  } as const;
  const TOLD = {
    from: 'awaiting_approval',
    to: 'awaiting_approval',
    cause: 'APPROVAL_IMPOSSIBLE',
  } as const;

  it('is a transfer that was held back, with the reason', () =>
    withLedger(async (ledger) => {
      for (const cause of HELD_BACK_REASONS) {
        const id = await storeHeldBack(ledger, [heldBackBy(cause)]);
        assert.equal((await find(ledger, id))?.reason, cause);
        await update(ledger, id, 'flagged_at = null');
        assert.equal(await find(ledger, id), undefined);
      }
    }));

  it('is a transfer that was held back again, with the reason for which it waits now, as its timeline has it', () =>
    withLedger(async (ledger) => {
      const { database, bookId } = ledger;
      for (const [last, expected, says] of [
        ['RECIPIENT_DENIED', 'RECIPIENT_DENIED', 'RECIPIENT_DENIED'],
        // Of a newer version whose processes work beside this one.
        ['A_REASON_OF_TOMORROW', null, 'HELD_BACK_OTHERWISE'],
      ] as const) {
        const moves = [heldBackBy('SEND_TIME_MISSED'), APPROVED, heldBackBy(last), TOLD];
        const id = await storeHeldBack(ledger, moves);
        const { heldBack, reason } = (await find(ledger, id)) ?? {};
        const inTimeline = findHeldBack(await readHistory(database, { bookId, id }));
        assert.deepEqual([heldBack, inTimeline], [expected, expected]);
        assert.equal(reason, says);
      }
    }));

  it('is a transfer that the people who are left cannot approve, and none that waits for people', () =>
    withLedger(async (ledger) => {
      const { database, bookId, walletId } = ledger;
      const way = ['awaiting_approval'] as const;
      const id = await createTransfer(database, { bookId, walletId, way, feeMinor: 0n });
      assert.equal(await find(ledger, id), undefined);
      const flag = `
        insert into impossible_approvals (book_id, subject_kind, subject_id, round, since)
        values ($1, 'transfer', $2, 1, now())`;
      await database.query({ name: '', text: flag }, [bookId, id]);
      assert.equal((await find(ledger, id))?.reason, 'APPROVAL_IMPOSSIBLE');
    }));

  it('is a queued transfer whose route a person holds', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.queued;
      await update(ledger, id, `next_action_at = now() - interval '61 s'`);
      const hold = `
        with person as (
          insert into people (id, name, created_at)
          values (gen_random_uuid(), 'Chanda', now())
          returning id
        )
        insert into route_holds (route, held_by, reason, held_at)
        select t.route, p.id, 'restored', now() from person p, transfers t where t.id = $1`;
      await ledger.database.query({ name: '', text: hold }, [id]);
      assert.equal((await find(ledger, id))?.reason, 'ROUTE_HELD');
    }));

  it('is a queued transfer that another route says it paid', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.queued;
      await update(ledger, id, `next_action_at = now() - interval '61 s'`);
      const open = `
        insert into incidents (book_id, id, transfer_id, kind, opened_at)
        select t.book_id, gen_random_uuid(), t.id, 'paid_before_sent', now()
        from transfers t where t.id = $1`;
      const call = `
        insert into callbacks (
          id, route, method, headers, body, reading, operator_reference, claims, verified, received_at, handled_at,
          handled_as
        )
        select gen_random_uuid(), 'another', 'PUT', '{}', '', 'read', t.operator_reference, 'paid', false, now(), now(),
               'PAID_BEFORE_SENT'
        from transfers t where t.id = $1`;
      for (const text of [open, call]) await ledger.database.query({ name: '', text }, [id]);
      assert.equal((await find(ledger, id))?.reason, 'PAID_ELSEWHERE');
    }));

  it('is a queued transfer of a suspended merchant', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.queued;
      await update(ledger, id, `next_action_at = now() - interval '61 s'`);
      await ledger.database.query({ name: '', text: 'update books set suspended_at = now()' });
      assert.equal((await find(ledger, id))?.reason, 'MERCHANT_SUSPENDED');
    }));

  it('is a queued transfer of a payout file that waits for a person', () =>
    withLedger(async (ledger) => {
      const { database, bookId } = ledger;
      const id = ledger.transferIds.queued;
      const fileId = await storeFile(database, { bookId, rows: [{}] });
      await database.query({ name: '', text: WAIT_FOR_PERSON }, [fileId]);
      await update(
        ledger,
        id,
        `next_action_at = now() - interval '61 s', source = 'file', file_id = '${fileId}'`,
      );
      assert.equal((await find(ledger, id))?.reason, 'FILE_WAITS');
    }));

  it('is a queued transfer of a cancelled payout file, about which no person has to decide', () =>
    withLedger(async (ledger) => {
      const { database, bookId } = ledger;
      const id = ledger.transferIds.queued;
      const fileId = await storeFile(database, { bookId, rows: [{}] });
      for (const text of [WAIT_FOR_PERSON, CANCEL]) {
        await database.query({ name: '', text }, [fileId]);
      }
      await update(
        ledger,
        id,
        `next_action_at = now() - interval '61 s', source = 'file', file_id = '${fileId}'`,
      );
      for (const suspended of ['null', 'now()']) {
        await database.query({ name: '', text: `update books set suspended_at = ${suspended}` });
        assert.equal((await find(ledger, id))?.reason, 'FILE_CANCELLED');
      }
    }));

  it('is listed by mode, merchant and operator', () =>
    withLedger(async (ledger) => {
      const { database, transferIds } = ledger;
      await update(ledger, transferIds.submitting, `next_action_at = now() + interval '9 s'`);
      const text = `
        select b.merchant_id, b.mode, t.operator from transfers t join books b on b.id = t.book_id
        where t.id = $1`;
      const [row] = await database.query<{
        merchant_id: string;
        mode: 'test' | 'live';
        operator: 'airtel' | 'mtn';
      }>({ name: '', text }, [transferIds.in_doubt]);
      assert.ok(row !== undefined);
      const { merchant_id: merchantId, mode, operator } = row;
      const listed = async (filter: Partial<TroubleFilter>) =>
        (await listStuck(database, { ...ALL, ...filter })).stuck.map(({ id }) => id);
      for (const filter of [{}, { mode }, { merchantId }, { operator }]) {
        assert.deepEqual(await listed(filter), [transferIds.in_doubt]);
      }
      const others: readonly Partial<TroubleFilter>[] = [
        { mode: mode === 'live' ? 'test' : 'live' },
        { merchantId: randomUUID() },
        { operator: 'vodacom' },
      ];
      for (const filter of others) assert.deepEqual(await listed(filter), []);
    }));

  it('is a transfer that the operator has had for an hour', () =>
    withLedger(async (ledger) => {
      const id = ledger.transferIds.submitted;
      await update(ledger, id, `updated_at = now() - interval '61 min'`);
      assert.equal((await find(ledger, id))?.reason, 'OPERATOR_SILENT');
    }));

  it('is a recipient whose name has been requested for an hour without result', () =>
    withLedger(async ({ database, bookId }) => {
      const insert = async (age: string, nextResolveAt: string): Promise<string> => {
        const id = randomUUID();
        const text = `
          insert into recipients (
            book_id, id, phone, operator, country, resolution, resolve_attempts, next_resolve_at,
            created_at
          )
          values ($1, $2, $3, 'airtel', 'zm', 'pending', 1, ${nextResolveAt}, now() - $4::interval)`;
        const phone = `+26097${Math.floor(Math.random() * 1e7)}`;
        await database.query({ name: '', text }, [bookId, id, phone, age]);
        return id;
      };
      const late = await insert('61 min', 'now()');
      await insert('59 min', 'now()');
      await insert('61 min', 'null');
      const { stuck } = await listStuck(database, ALL);
      const recipients = stuck.filter(({ kind }) => kind === 'recipient');
      assert.deepEqual(
        recipients.map(({ id }) => id),
        [late],
      );
      assert.equal(recipients[0]?.reason, 'NAME_UNKNOWN');
    }));

  it('comes oldest first, limited, and never includes what is finished', () =>
    withLedger(async (ledger) => {
      const { database, transferIds } = ledger;
      const text = `update transfers
        set in_doubt_since = now() - interval '3 h', updated_at = now() - interval '2 h',
            next_action_at = now() - interval '1 h'`;
      await database.query({ name: '', text });
      await update(ledger, transferIds.queued, `updated_at = now() - interval '90 min'`);
      const { stuck } = await listStuck(database, ALL);
      assert.deepEqual(
        stuck.slice(0, 3).map(({ id }) => id),
        [transferIds.in_doubt, transferIds.submitted, transferIds.queued],
      );
      assert.equal(stuck.length, 5);
      assert.ok(stuck.every(({ state }) => !finished.includes(state as TransferState)));
    }));
});
