import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { isProposalVoid, readProposers } from '../acts/is-proposal-void.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { formatMinor } from '../domain/money.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { type AdminWallet, findWalletForStaff, lockWallet } from './find-wallet-for-staff.ts';
import { returnFunding } from './return-funding.ts';
import {
  endTakeBack,
  findFunding,
  insertTakeBack,
  lockOpenTakeBack,
  type RecordedFunding,
  type TakeBack,
} from './take-back.ts';

/** Evidence ages: what the bank's list said yesterday must be looked up again. */
const PROPOSAL_LIFE_MS = 24 * 3_600_000;

type TakeBackDeps = ActDeps & Readonly<{ database: Database; directory: Queryable }>;

export type TakeBackRequest = Readonly<{
  actor: PersonActor;
  walletId: string;
  fundingReference: string;
  reason: string;
  /** The id of the open proposal that the person saw, or `none`; left out: the caller does not say. */
  seen?: string | null;
}>;

export type TakeBackResult =
  /** Waits for a second administrator; nothing is booked. */
  | Readonly<{ kind: 'proposed'; wallet: AdminWallet; funding: RecordedFunding; expiresAt: Date }>
  | Readonly<{
      kind: 'carriedOut';
      wallet: AdminWallet;
      funding: RecordedFunding;
      proposedBy: string;
      /** The number of the contra posting. */
      returnedSequence: bigint;
    }>;

/**
 * Takes back a funding that was booked wrongly: one administrator proposes it, and another one who says the same
 * carries it out by a contra posting of the whole amount. Never more than is available: what is held is promised
 * to payouts, and what was paid is gone.
 */
export async function takeBackFunding(
  deps: TakeBackDeps,
  request: TakeBackRequest,
): Promise<TakeBackResult> {
  const proposers = await readProposers(deps.directory);
  return actAs(deps, request.actor, async (tx) => {
    // Under the wallet's lock only one person can be the first, and no payout can take the money meanwhile.
    const wallet = await lockWallet(tx, request.walletId);
    const funding = await findFunding(tx, wallet, request.fundingReference);
    if (funding === undefined) throw new AdminRefused('FUNDING_NOT_FOUND', {});
    if (funding.returned !== null) throw new AdminRefused('FUNDING_TAKEN_BACK', funding.returned);
    refuseSpent(wallet, funding);
    const open = await lockOpenTakeBack(tx, funding);
    const isExpired = open !== undefined && open.expiresAt <= deps.now();
    refuseUnseen(request, isExpired ? undefined : open);
    if (open === undefined) return propose(tx, deps, { request, wallet, funding });
    if (isExpired) {
      await endTakeBack(tx, { takeBack: open, as: 'expired', by: null, at: deps.now() });
      return propose(tx, deps, { request, wallet, funding });
    }
    if (await isProposalVoid(tx, open, proposers)) {
      await withdraw(tx, deps, { actor: request.actor, wallet, funding, takeBack: open });
      return propose(tx, deps, { request, wallet, funding });
    }
    if (open.proposedBy.id === request.actor.id) {
      throw new AdminRefused('TAKE_BACK_IS_OWN', { expiresAt: open.expiresAt });
    }
    return confirm(tx, deps, { request, wallet, funding, open });
  });
}

/** Ends a proposal to take a funding back. Any administrator may, not only who made it. */
export async function keepFunding(
  deps: TakeBackDeps,
  request: Omit<TakeBackRequest, 'reason' | 'seen'>,
): Promise<Readonly<{ wallet: AdminWallet; proposedBy: string }>> {
  const { actor } = request;
  return actAs(deps, actor, async (tx) => {
    const wallet = await lockWallet(tx, request.walletId);
    const funding = await findFunding(tx, wallet, request.fundingReference);
    if (funding === undefined) throw new AdminRefused('FUNDING_NOT_FOUND', {});
    const takeBack = await lockOpenTakeBack(tx, funding);
    if (takeBack === undefined) throw new AdminRefused('TAKE_BACK_NOT_PROPOSED', {});
    await withdraw(tx, deps, { actor, wallet, funding, takeBack });
    return { wallet, proposedBy: takeBack.proposedBy.name };
  });
}

async function withdraw(
  tx: Queryable,
  deps: TakeBackDeps,
  withdrawn: Readonly<{
    actor: PersonActor;
    wallet: AdminWallet;
    funding: RecordedFunding;
    takeBack: TakeBack;
  }>,
): Promise<void> {
  const { actor, wallet, funding, takeBack } = withdrawn;
  await endTakeBack(tx, { takeBack, as: 'withdrawn', by: actor.id, at: deps.now() });
  await recordAct(tx, deps, {
    actor,
    kind: 'TAKE_BACK_WITHDRAWN',
    subject: wallet.id,
    merchantId: wallet.merchantId,
    bookId: wallet.bookId,
    reason: null,
    before: { ...factsOf(funding, wallet), proposedBy: takeBack.proposedBy.name },
    after: factsOf(funding, wallet),
  });
}

/** A click meant as a proposal must not carry out what a colleague proposed meanwhile, and one meant to confirm must not propose. */
function refuseUnseen({ seen = null }: TakeBackRequest, open: TakeBack | undefined): void {
  if (seen === null || seen === (open?.id ?? 'none')) return;
  throw refuse('CONTENT_CHANGED', {
    message:
      'What is proposed for this funding is not what you saw: another person proposed or withdrew it, or its time ran out. Nothing was changed. Look at it again, then decide.',
  });
}

function refuseSpent(
  { availableMinor, heldMinor, currency }: AdminWallet,
  { amountMinor }: RecordedFunding,
): void {
  if (availableMinor >= amountMinor) return;
  throw new AdminRefused('FUNDING_SPENT', { amountMinor, availableMinor, heldMinor, currency });
}

type About = Readonly<{ request: TakeBackRequest; wallet: AdminWallet; funding: RecordedFunding }>;

async function propose(
  tx: Queryable,
  deps: TakeBackDeps,
  { request, wallet, funding }: About,
): Promise<TakeBackResult> {
  const { actor, reason } = request;
  const at = deps.now();
  const expiresAt = new Date(at.getTime() + PROPOSAL_LIFE_MS);
  await insertTakeBack(tx, { id: deps.newId(), funding, actor, reason, at, expiresAt });
  await recordAct(tx, deps, {
    actor,
    kind: 'TAKE_BACK_PROPOSED',
    subject: wallet.id,
    merchantId: wallet.merchantId,
    bookId: wallet.bookId,
    reason,
    before: factsOf(funding, wallet),
    after: { ...factsOf(funding, wallet), proposedBy: actor.name },
  });
  return { kind: 'proposed', wallet, funding, expiresAt };
}

async function confirm(
  tx: Queryable,
  deps: TakeBackDeps,
  { request, wallet, funding, open }: About & Readonly<{ open: TakeBack }>,
): Promise<TakeBackResult> {
  const { actor, reason } = request;
  const at = deps.now();
  const returnedSequence = await returnFunding(tx, { ...funding, at });
  if (returnedSequence === undefined) throw new Error('a locked wallet lost what was available');
  const second = { reason, returnedSequence };
  await endTakeBack(tx, { takeBack: open, as: 'carried_out', by: actor.id, at, second });
  const after = await findWalletForStaff(tx, wallet.id);
  const proposedBy = open.proposedBy.name;
  await recordAct(tx, deps, {
    actor,
    kind: 'TAKE_BACK_CONFIRMED',
    subject: wallet.id,
    merchantId: wallet.merchantId,
    bookId: wallet.bookId,
    reason,
    before: { ...factsOf(funding, wallet), proposedBy },
    after: { ...factsOf(funding, after), returnedSequence: Number(returnedSequence) },
  });
  return { kind: 'carriedOut', wallet: after, funding, proposedBy, returnedSequence };
}

function factsOf(funding: RecordedFunding, { mode, currency, availableMinor }: AdminWallet) {
  return {
    mode,
    currency,
    fundingReference: funding.fundingReference,
    fundedSequence: Number(funding.sequence),
    amount: formatMinor(funding.amountMinor),
    available: formatMinor(availableMinor),
  };
}
