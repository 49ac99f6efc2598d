import { causeOf } from '../domain/cause.ts';
import { nameResolved, PENDING } from '../recipients/recipient.ts';
import { storeRecipient } from '../recipients/store-recipient.ts';
import type { HistoryStep } from './history-clock.ts';
import { later, type PayoutScene } from './history-payouts.ts';
import type { Payee } from './payees.ts';
import type { PlannedPayout } from './plan-payouts.ts';

/** How long before the first payout to it a recipient was stored. */
const BEFORE_PAYOUT_MS = 3 * 60_000;

/** Each payee becomes a recipient before the first payout to it. Stores their ids in `stored`. */
export function planRecipientSteps(
  scene: PayoutScene,
  payouts: readonly PlannedPayout[],
  stored: string[],
): readonly HistoryStep[] {
  const firsts = new Map<Payee, Date>();
  for (const { payee, at } of payouts) if (!firsts.has(payee)) firsts.set(payee, at);
  return [...firsts].map(([payee, at]) => ({
    at: later(at, -BEFORE_PAYOUT_MS),
    async happen() {
      stored.push(await store(scene, payee));
    },
  }));
}

async function store({ past, book, payers }: PayoutScene, payee: Payee): Promise<string> {
  const { name: suppliedAccountName, accountName, phone, operator, country } = payee;
  const id = past.newId();
  const naming =
    accountName === null ? PENDING : nameResolved({ suppliedAccountName, accountName });
  const recipient = {
    bookId: book.id,
    id,
    mode: book.mode,
    phone,
    operator,
    country,
    suppliedAccountName,
    createdAt: past.now(),
    ...naming,
  };
  const cause = causeOf(accountName === null ? 'NAMES_NOT_GIVEN' : 'NAME_GIVEN');
  const actor = payers.program;
  await storeRecipient(past.database, { recipient, actor, cause, lookUpAgainInMs: null });
  return id;
}
