import type { Book } from '../domain/book.ts';
import { findDemoBook } from '../merchants/demo-merchant.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import { correctClocks } from './correct-clocks.ts';
import { findDemoActors } from './demo-actors.ts';
import { planApprovalSteps } from './history-approvals.ts';
import { createHistoryClock, runInOrder } from './history-clock.ts';
import { planControlSteps } from './history-controls.ts';
import { planDecisionSteps } from './history-decisions.ts';
import { later, type PayoutScene, planPayoutSteps } from './history-payouts.ts';
import { planPeopleSteps } from './history-people.ts';
import { planRecipientSteps } from './history-recipients.ts';
import { FIRST_FUNDING, planWalletSteps, startOf } from './history-wallets.ts';
import { writeWebhooks } from './history-webhooks.ts';
import { type PlannedPayout, planPayouts, type WalletKey } from './plan-payouts.ts';
import { createSeededRandom } from './seeded-random.ts';

/** Any number; with another one the demo shows other people and sums. */
const SEED = 260_977_433;
const GONE_FOR_MS = 5 * 3_600_000;
const GONE_PAYOUTS_MIN = 10;

export type FillDeps = Readonly<{
  database: Database;
  sealer: Sealer;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  randomFill: (bytes: Uint8Array) => void;
  onProgress: (done: number, total: number) => void;
}>;

export type HistoryResult =
  | Readonly<{ kind: 'no demo merchant' }>
  | Readonly<{ kind: 'filled before' }>
  | (HistoryCounts & Readonly<{ kind: 'filled' }>);

type HistoryCounts = Readonly<{
  byState: readonly Readonly<{ state: string; count: number }>[];
  recipients: number;
  deliveries: number;
  hasPeople: boolean;
  /** Payouts and files that wait for approval. */
  waiting: number;
}>;

/**
 * Fills the test book of the demo merchant with three weeks of payouts, by the use cases that make real ones, with a
 * clock of the past. All in one transaction: an interrupted run leaves nothing, and the running service sees only the
 * result.
 */
export async function fillHistory(
  deps: FillDeps,
  { payouts }: Readonly<{ payouts: number }>,
): Promise<HistoryResult> {
  return deps.database.transaction(async (tx) => {
    await tx.query(LOCK);
    const book = await findBook(tx);
    if (book === undefined) return { kind: 'no demo merchant' };
    const found = await tx.query(FIND_FUNDING, [book.id, FIRST_FUNDING]);
    if (found.length > 0) return { kind: 'filled before' };
    return { kind: 'filled', ...(await fill(tx, deps, { book, count: payouts })) };
  });
}

async function findBook(tx: Queryable): Promise<Book | undefined> {
  const demo = await findDemoBook(tx, 'test');
  if (demo === undefined) return undefined;
  const { id: merchantId, books } = await findMerchant(tx, demo.merchantId);
  const { id, feeTerms } = books.test;
  return { id, merchantId, mode: 'test', feeTerms, isSuspended: false, controlsVersion: null };
}

async function fill(
  tx: Queryable,
  deps: FillDeps,
  { book, count }: Readonly<{ book: Book; count: number }>,
): Promise<HistoryCounts> {
  const now = deps.now();
  const random = createSeededRandom(SEED);
  const past = createHistoryClock(tx, deps);
  const payouts = planPayouts(random, { now, count });
  const actors = await findDemoActors(tx, book.merchantId);
  const wallets = new Map<WalletKey, string>();
  const scene: PayoutScene & { wallets: Map<WalletKey, string> } = {
    past,
    random,
    now,
    book,
    wallets,
    leaseOwner: deps.newId(),
    payers: { program: '', person: undefined },
    transfers: new Map(),
  };
  const recipients: string[] = [];
  const waiting: string[] = [];
  const happenings = [
    ...planWalletSteps(scene, payouts, actors),
    ...planPeopleSteps(scene, payouts, actors),
    ...planRecipientSteps(scene, payouts, recipients),
    ...planPayoutSteps(scene, payouts),
    ...planDecisionSteps(scene, payouts, actors),
    ...planControlSteps(scene, payouts, actors),
    ...planApprovalSteps(scene, { payouts, waiting }, actors),
  ];
  await runInOrder(past, happenings, deps.onProgress);
  const walletIds = [...wallets.values()];
  await correctClocks(tx, { bookId: book.id, walletIds });
  const transferIds = [...scene.transfers.values()].map(({ transfer }) => transfer.id);
  const deliveries = await writeWebhooks({
    past,
    random,
    now,
    book,
    actors,
    sealer: deps.sealer,
    start: startOf(payouts),
    goneSince: findGoneSince(payouts, now),
    subjects: [...transferIds, ...waiting, ...recipients, ...walletIds],
  });
  const byState = await tx.query<StateRow>(COUNT_STATES, [book.id, walletIds]);
  const hasPeople = actors.treasurer !== undefined && actors.admin !== undefined;
  return {
    byState,
    recipients: recipients.length,
    deliveries,
    hasPeople,
    waiting: waiting.length,
  };
}

/** Hours ago, and before the newest payouts: on a Sunday these are of Friday. */
function findGoneSince(payouts: readonly PlannedPayout[], now: Date): Date {
  const someHoursAgo = later(now, -GONE_FOR_MS);
  const { at } = payouts.at(-GONE_PAYOUTS_MIN) ?? { at: someHoursAgo };
  return at < someHoursAgo ? at : someHoursAgo;
}

type StateRow = { state: string; count: number };

// Two runs take turns, and the second finds what the first one stored.
const LOCK: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock(hashtextextended('demo history', 0))`,
};

const FIND_FUNDING: Statement = {
  name: '',
  text: 'select seq from postings where book_id = $1 and funding_reference = $2',
};

const COUNT_STATES: Statement = {
  name: '',
  text: `
    select state, count(*)::integer as count from transfers
    where book_id = $1 and wallet_id = any ($2::uuid[])
    group by state order by count(*) desc, state`,
};
