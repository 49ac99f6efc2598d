import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { actorCode, type PersonActor } from '../domain/actor.ts';
import { deriveOperatorReference, FIRST_SUBMISSION } from '../domain/operator-reference.ts';
import { createRoutes, NO_LIVE_ROUTES } from '../operators/routes/routes.ts';
import { createSandboxRoute } from '../operators/sandbox/sandbox-route.ts';
import { checkFile } from '../payout-files/check-file.ts';
import { createFileSource } from '../payout-files/file-approvals.ts';
import { submitFile } from '../payout-files/submit-file.ts';
import type { Statement } from '../postgres/database.ts';
import { commitTransfers } from '../transfers/accept/commit-transfers.ts';
import { originOf } from '../transfers/accept/prepared-transfer.ts';
import type { DemoActors } from './demo-actors.ts';
import type { HistoryStep } from './history-clock.ts';
import { salariesOf } from './history-controls.ts';
import { type PayoutScene, prepare, walletOf } from './history-payouts.ts';
import type { PlannedPayout } from './plan-payouts.ts';
import { uploadFile } from './upload-file.ts';

const FILE_NAME = 'Harvest bonus';
const FILE_ROWS = 10;
const BONUS = '850.00';

type LargePayout = Pick<PlannedPayout, 'reference' | 'amountMinor' | 'narration'>;

const OF_MAKER: LargePayout = {
  reference: 'demo-generator-kitwe',
  amountMinor: 2_450_000n,
  narration: 'Generator for the Kitwe site',
};
/** The owner, with whom newcomers sign in, sees here that people do not approve their own work. */
const OF_OWNER: LargePayout = {
  reference: 'demo-vehicle-deposit',
  amountMinor: 3_800_000n,
  narration: 'Deposit for the second truck',
};

/**
 * What waits for people by the rules in force: a payout that the owner can approve, one that is the owner's own, and a
 * file that the approver has approved and that lacks one more. The ids of all are added to `waiting`.
 */
export function planApprovalSteps(
  scene: PayoutScene,
  { payouts, waiting }: Readonly<{ payouts: readonly PlannedPayout[]; waiting: string[] }>,
  { owner, maker, approver }: DemoActors,
): readonly HistoryStep[] {
  if (owner === undefined || maker === undefined || approver === undefined) return [];
  const orders = [
    { ...OF_MAKER, actor: maker },
    { ...OF_OWNER, actor: owner },
  ];
  return [
    {
      at: scene.now,
      happen: async () => void waiting.push(await submit(scene, { payouts, maker, approver })),
    },
    {
      at: scene.now,
      happen: async () => void waiting.push(...(await order(scene, { payouts, orders }))),
    },
  ];
}

async function order(
  scene: PayoutScene,
  {
    payouts,
    orders,
  }: Readonly<{
    payouts: readonly PlannedPayout[];
    orders: readonly (LargePayout & Readonly<{ actor: PersonActor }>)[];
  }>,
): Promise<readonly string[]> {
  const { past, book, leaseOwner } = scene;
  const { database, now } = past;
  const snapshots = createControlSnapshots({ database });
  const controls = await snapshots.findCurrent(book.id);
  const suppliers = payouts.filter(({ wallet }) => wallet === 'suppliers');
  const group = orders.map(({ actor, ...payout }, index) => {
    const like = suppliers[index];
    if (like === undefined) throw new Error('the demo has too few payouts to suppliers');
    const planned = { ...like, ...payout, wallet: 'salaries', story: 'paid' } as const;
    const payer = { actor: actorCode(actor), origin: originOf(actor) };
    return {
      ...prepare(scene, planned, payer),
      // These are sent by the service, so an operator would know them by it.
      operatorReference: deriveOperatorReference({
        bookId: book.id,
        reference: payout.reference,
        submission: FIRST_SUBMISSION,
      }),
      slot: undefined,
      controls,
    };
  });
  const results = await commitTransfers({ database, leaseOwner, now, controls: snapshots }, group);
  return results.map((result) => {
    if (result.kind !== 'accepted') throw new Error('a payout of the demo was not accepted');
    return result.transfer.id;
  });
}

async function submit(
  scene: PayoutScene,
  {
    payouts,
    maker,
    approver,
  }: Readonly<{
    payouts: readonly PlannedPayout[];
    maker: PersonActor;
    approver: PersonActor;
  }>,
): Promise<string> {
  const { past, book } = scene;
  const lines = salariesOf(payouts)
    .slice(-FILE_ROWS)
    .map(({ recipientName, phone }) => ({ name: recipientName, phone, amount: BONUS }));
  const id = await uploadFile(scene, { actor: maker, name: FILE_NAME, lines });
  await check(scene, id);
  const controls = createControlSnapshots(past);
  const submission = { book, actor: maker, id, contentHash: null, walletId: null, payAt: null };
  await submitFile({ ...past, controls }, submission);
  const source = createFileSource({ ...past, wake: () => undefined });
  const [file] = await source.find(past.database, book, [id]);
  if (file === undefined) throw new Error('the file of the demo does not wait for approval');
  const { contentHash } = file;
  await source.decide(
    { book, id },
    { actor: approver, decision: 'approve', contentHash, reason: null },
  );
  return id;
}

/** At once, because only what is checked can be submitted. No running service sees the file before. */
async function check({ past, book, wallets, leaseOwner }: PayoutScene, id: string): Promise<void> {
  const [row] = await past.database.query<{ upload_bytes: number }>(TAKE, [
    book.id,
    id,
    leaseOwner,
  ]);
  if (row === undefined) throw new Error('the file of the demo is not there');
  const sandbox = createSandboxRoute({ delayMs: 0, now: past.now, wait: async () => undefined });
  const routes = createRoutes({ sandbox, live: NO_LIVE_ROUTES });
  const claim = {
    book,
    fileId: id,
    walletId: walletOf(wallets, 'salaries'),
    references: 'derived',
    uploadBytes: row.upload_bytes,
    leaseOwner,
  } as const;
  await checkFile({ ...past, routes }, claim, new AbortController().signal);
}

const TAKE: Statement = {
  name: '',
  text: `
    update payout_files set lease_owner = $3 where book_id = $1 and id = $2 and state = 'checking'
    returning upload_bytes`,
};
