import { actorCode, type PersonActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { feeOf } from '../domain/fee.ts';
import { currencyOf } from '../domain/operator.ts';
import type { Transfer } from '../domain/transfer.ts';
import { UNCOUNTED_SLOT } from '../operators/limits/slots.ts';
import {
  acceptTransfer,
  FROM_KEY,
  originOf,
  type PreparedTransfer,
} from '../transfers/accept/prepared-transfer.ts';
import { storeTransfers } from '../transfers/accept/store-transfers.ts';
import { cancelTransfer } from '../transfers/move/cancel-transfer.ts';
import { moveTransfers } from '../transfers/move/move-transfers.ts';
import { type PlannedAnswer, planAnswers, suffixOf } from './answers.ts';
import type { HistoryClock, HistoryStep } from './history-clock.ts';
import { judgeDemoAnswer, type StandingTransfer } from './judge-demo-answer.ts';
import { withSuffix } from './payees.ts';
import type { PlannedPayout, WalletKey } from './plan-payouts.ts';
import type { SeededRandom } from './seeded-random.ts';

const ROUTE = 'sandbox';
const CANCELLED_AFTER_MS = 40_000;

export type PayoutScene = Readonly<{
  past: HistoryClock;
  random: SeededRandom;
  now: Date;
  book: Book;
  wallets: ReadonlyMap<WalletKey, string>;
  /** The process that would have made the payouts. */
  leaseOwner: string;
  /** The people who pay batches and single payouts; filled in as they appear. */
  payers: { program: string; person: PersonActor | undefined };
  /** Everything that was stored, by reference. */
  transfers: Map<string, StandingTransfer>;
}>;

/** Everything that happened to payouts: their acceptance, what operators answered, cancellations. */
export function planPayoutSteps(
  scene: PayoutScene,
  payouts: readonly PlannedPayout[],
): readonly HistoryStep[] {
  const stored = groupByTime(payouts, ({ at }) => at).map(([at, group]) => ({
    at,
    happen: () => store(scene, group),
  }));
  const answers = payouts.flatMap((payout) =>
    planAnswers(scene.random, payout, scene.now).map((answer) => ({ payout, answer })),
  );
  const answered = groupByTime(answers, ({ payout, answer }) => later(payout.at, answer.afterMs));
  const moved = answered.map(([at, group]) => ({ at, happen: () => move(scene, group) }));
  const cancelled = payouts
    .filter(({ story }) => story === 'cancelled')
    .map((payout) => ({
      at: later(payout.at, CANCELLED_AFTER_MS),
      happen: () => cancel(scene, payout),
    }));
  return [...stored, ...moved, ...cancelled];
}

export function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** What happened at the same time is stored by one statement, as the commit queues do it. */
function groupByTime<T>(items: readonly T[], timeOf: (item: T) => Date): (readonly [Date, T[]])[] {
  const groups = Map.groupBy(items, (item) => timeOf(item).getTime());
  return [...groups].map(([ms, group]) => [new Date(ms), group] as const);
}

async function store(scene: PayoutScene, payouts: readonly PlannedPayout[]): Promise<void> {
  const at = scene.past.now();
  const accepted = payouts.map((payout) =>
    acceptTransfer(prepare(scene, payout, payerOf(scene, payout)), at),
  );
  const { leaseOwner, past, transfers } = scene;
  if (!(await storeTransfers(past.database, { accepted, leaseOwner, at }))) {
    throw new Error('a wallet of the demo does not have what its payouts need');
  }
  for (const { transfer } of accepted) {
    transfers.set(transfer.reference, { transfer, doubtfulSince: null, pendingSince: null });
  }
}

type Payer = Pick<PreparedTransfer, 'actor' | 'origin'>;

/** The program pays batches, and all where there is no person. */
function payerOf({ payers }: PayoutScene, { isBatch }: PlannedPayout): Payer {
  const { program, person } = payers;
  return isBatch || person === undefined
    ? { actor: program, origin: FROM_KEY }
    : { actor: actorCode(person), origin: originOf(person) };
}

export function prepare(
  { past, book, wallets }: PayoutScene,
  payout: PlannedPayout,
  payer: Payer,
): PreparedTransfer {
  const { reference, amountMinor, narration } = payout;
  const suffix = suffixOf(payout);
  const payee = suffix === null ? payout.payee : withSuffix(payout.payee, suffix);
  const { phone, operator, country, name } = payee;
  // One that is cancelled waits in the queue until then.
  const slot = payout.story === 'cancelled' ? undefined : UNCOUNTED_SLOT;
  return {
    id: past.newId(),
    operatorReference: past.newId(),
    book,
    ...payer,
    command: {
      reference,
      idempotencyKey: null,
      amountMinor,
      phone,
      operator,
      country,
      currency: currencyOf(country),
      walletId: walletOf(wallets, payout.wallet),
      narration,
      recipientName: name,
      metadata: null,
      sendAt: null,
    },
    feeMinor: feeOf(book.feeTerms, amountMinor),
    route: ROUTE,
    routeAccount: null,
    slot,
    leaseStart: { monotonicMs: 0, wallMs: 0 },
    closedForMs: 0,
    unroutable: null,
    controls: null,
    judged: null,
    nameMatch: null,
    sendAtProblem: null,
  };
}

export function walletOf(wallets: PayoutScene['wallets'], key: WalletKey): string {
  const id = wallets.get(key);
  if (id === undefined) throw new Error(`the wallet for ${key} is not there yet`);
  return id;
}

export function transferOf({ transfers }: PayoutScene, { reference }: PlannedPayout): Transfer {
  return standingOf(transfers, reference).transfer;
}

function standingOf(transfers: PayoutScene['transfers'], reference: string): StandingTransfer {
  const found = transfers.get(reference);
  if (found === undefined) throw new Error(`the payout ${reference} is not there yet`);
  return found;
}

async function move(
  { past, transfers, leaseOwner }: PayoutScene,
  group: readonly Readonly<{ payout: PlannedPayout; answer: PlannedAnswer }>[],
): Promise<void> {
  const at = past.now();
  const judged = group.map(({ payout, answer }) =>
    judgeDemoAnswer(standingOf(transfers, payout.reference), answer, {
      at,
      attemptId: past.newId(),
    }),
  );
  const moves = judged.map(({ move }) => move);
  const moved = await moveTransfers(past.database, { moves, mover: leaseOwner, at });
  if (!moved.every(Boolean)) throw new Error('a payout of the demo was not where it should be');
  for (const { after } of judged) transfers.set(after.transfer.reference, after);
}

async function cancel(scene: PayoutScene, payout: PlannedPayout): Promise<void> {
  const { past, book, leaseOwner, payers } = scene;
  const { id } = transferOf(scene, payout);
  const actor = payers.person === undefined ? payers.program : actorCode(payers.person);
  const moves = {
    async submit(move: Parameters<typeof moveTransfers>[1]['moves'][number]): Promise<boolean> {
      const group = { moves: [move], mover: leaseOwner, at: past.now() };
      return (await moveTransfers(past.database, group))[0] === true;
    },
  };
  await cancelTransfer({ database: past.database, moves }, { book, id, actor });
}
