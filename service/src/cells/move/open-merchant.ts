import type { Database, Statement } from '../../postgres/database.ts';
import { shareAllControls } from '../lock-all-controls.ts';
import type { MoveLock } from './move-lock.ts';
import { changeMerchant, setMerchantState } from './moving-merchant.ts';
import { resumeWork } from './moving-work.ts';

/** Lets a merchant be served in this cell: all that was put off goes on, at its own time. May be repeated. */
export async function openMerchant(
  database: Database,
  lock: MoveLock,
  { merchantId, epoch }: Readonly<{ merchantId: string; epoch: number }>,
): Promise<void> {
  await changeMerchant(
    { database, lock },
    merchantId,
    async (tx, { state, epoch: stored, books }) => {
      if (state === 'moved' || stored > epoch) {
        throw new Error(
          `the merchant is ${state} under epoch ${stored} in the cell that is to serve it`,
        );
      }
      if (state === 'open') return;
      // A change of the company's lists that is under way is waited for: it does not count up what is not open yet.
      await shareAllControls(tx);
      await tx.query(LOCK_CONTROLS, [books]);
      await resumeWork(tx, books);
      // Readers of the feed have seen the numbers of the other cell: new ones must be larger.
      if (state === 'arriving') await tx.query(RAISE_FEED_CLOCK, [books]);
      // Lists of the company may differ from those in the other cell, or have changed while nothing of the merchant could.
      // So what was judged before is judged anew.
      await tx.query(RAISE_CONTROLS, [books]);
      await tx.query(RAISE_WALLET_CONTROLS, [books]);
      await tx.query(OPEN_WALLETS, [books]);
      await setMerchantState(tx, { merchantId, state: 'open', epoch });
    },
  );
}

// A process of an earlier release that changes those lists has only this lock.
const LOCK_CONTROLS: Statement = {
  name: '',
  text: `
    select book_id from book_controls where book_id = any ($1::uuid[]) order by book_id for update`,
};

const RAISE_FEED_CLOCK: Statement = {
  name: '',
  text: `
    update feed_clock c set last_number = f.number
    from (
      select max(number) as number from feed_batches where book_id = any ($1::uuid[])
    ) f
    where f.number > c.last_number`,
};

const RAISE_CONTROLS: Statement = {
  name: '',
  text: `
    update books b set controls_version = coalesce(b.controls_version, 0) + 1
    where b.id = any ($1::uuid[]) and (
      b.controls_version is not null
      or exists (select from list_entries where book_id = '00000000-0000-0000-0000-000000000000')
    )`,
};

const RAISE_WALLET_CONTROLS: Statement = {
  name: '',
  text: `
    update wallets w set controls_version = b.controls_version
    from books b
    where b.id = w.book_id and w.book_id = any ($1::uuid[])`,
};

const OPEN_WALLETS: Statement = {
  name: '',
  text: `update wallets set closed_for = null where book_id = any ($1::uuid[])`,
};
