import type { Controls } from '../../controls/controls.ts';
import type { Judgement } from '../../controls/judge.ts';
import type { Actor } from '../../domain/actor.ts';
import type { ApprovalRequirement } from '../../domain/approval-requirement.ts';
import type { Book } from '../../domain/book.ts';
import type { FieldProblem } from '../../domain/field-problem.ts';
import type { NameMatch } from '../../domain/name-match.ts';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import type { Source } from '../../domain/source.ts';
import { NO_ROUTE, type Transfer, type TransferCommand } from '../../domain/transfer.ts';
import type { HeldSlot } from '../../operators/limits/slots.ts';
import { LEASE_MS, type LeaseStart } from '../move/lease.ts';

/** How an order came: by API, by a person, in a file or by a schedule. */
export type Origin = Readonly<{
  source: Source;
  /** The person who ordered it; null: a program with a key. */
  madeBy: string | null;
  fileId: string | null;
  /** The failed transfer that it pays anew. */
  replaces: string | null;
  /** What rules asked for and people gave with its file. Refusals count all the same. */
  preApproved: readonly ApprovalRequirement[];
}>;

/** Ordered by a program with a key. */
export const FROM_KEY: Origin = {
  source: 'api',
  madeBy: null,
  fileId: null,
  replaces: null,
  preApproved: [],
};

/** Of a single order: by a key, or by a person on a screen. */
export function originOf(actor: Actor): Origin {
  if (actor.kind !== 'person') return FROM_KEY;
  return { ...FROM_KEY, source: 'console', madeBy: actor.id };
}

/** A command that is about to join a group. */
export type PreparedTransfer = Readonly<{
  id: string;
  operatorReference: string;
  book: Book;
  actor: string;
  origin: Origin;
  command: TransferCommand;
  feeMinor: bigint;
  /** The route that it will take; empty when there is none. */
  route: string;
  /** The account of that route now. */
  routeAccount: string | null;
  /** Of its route's limiter. With one it is stored as submitting, leased to this process; undefined: it must queue. */
  slot: HeldSlot | undefined;
  /** The start of its lease, if it gets one. */
  leaseStart: LeaseStart;
  /** How long the route stays closed; it waits in the queue that long. */
  closedForMs: number;
  /** Why it has no route. Reported only after duplicates, which were stored and must be shown. */
  unroutable: RefusalCode | null;
  /** What is in force in its book; null: the book has no controls. */
  controls: Controls | null;
  /** What its controls say where the order alone decides; else null, and it is judged under the locks. */
  judged: Judgement | null;
  /** How the name that was given fits the account's; null: not known, or no rule asks; undefined: not asked yet. */
  nameMatch: NameMatch | null | undefined;
  /** What is wrong with its time. After duplicates too: a call that is repeated late must find what it stored. */
  sendAtProblem: FieldProblem | null;
}>;

/** A transfer to be stored, with what only its first row needs. */
export type AcceptedTransfer = Readonly<{
  transfer: Transfer;
  idempotencyKey: string | null;
  /** When it is due: at the end of the lease, or at the time to leave the queue. A scheduled one is due at `sendAt`. */
  nextActionInMs: number;
  actor: string;
  /** The version of its book's controls by which it was decided; null: the book had none. */
  controlsVersion: number | null;
  screens: Judgement['screens'];
  /** How long it may wait for people. */
  expiresAfterMs: number | null;
}>;

const NO_SCREENS: Judgement['screens'] = [];
const NO_RULES: readonly string[] = [];

/** The row that a prepared transfer becomes when it is accepted at `at`, as its controls say. */
export function acceptTransfer(
  prepared: PreparedTransfer,
  at: Date,
  judgement = prepared.judged,
): AcceptedTransfer {
  const { book, command, origin } = prepared;
  const approvalsNeeded = judgement?.approvalsNeeded ?? null;
  const isWaiting = approvalsNeeded !== null;
  const isScheduled = command.sendAt !== null;
  // A slot that was reserved before it was judged is given back once it is stored.
  const reserved = prepared.slot !== undefined && !isWaiting;
  return {
    transfer: {
      bookId: book.id,
      id: prepared.id,
      mode: book.mode,
      walletId: command.walletId,
      reference: command.reference,
      state: isWaiting
        ? 'awaiting_approval'
        : isScheduled
          ? 'scheduled'
          : reserved
            ? 'submitting'
            : 'queued',
      amountMinor: command.amountMinor,
      feeMinor: prepared.feeMinor,
      currency: command.currency,
      phone: command.phone,
      operator: command.operator,
      country: command.country,
      recipientName: command.recipientName,
      narration: command.narration,
      metadata: command.metadata,
      sendAt: command.sendAt,
      source: origin.source,
      madeBy: origin.madeBy,
      policyVersion: judgement?.policyVersion ?? null,
      rules: judgement?.rules ?? NO_RULES,
      approvalsNeeded,
      fileId: origin.fileId,
      replaces: origin.replaces,
      route: isScheduled || isWaiting ? NO_ROUTE : prepared.route,
      routeAccount: reserved ? prepared.routeAccount : null,
      operatorReference: prepared.operatorReference,
      operatorTransactionId: null,
      failureCode: null,
      createdAt: at,
      updatedAt: at,
      completedAt: null,
      inDoubtSince: null,
      doubtKind: null,
      doubtMs: null,
      sinceDoubtMs: null,
      sincePendingMs: null,
      sinceSubmissionMs: null,
      resubmissions: 0,
      recalls: 0,
      throttled: false,
      eventSeq: isWaiting ? 2 : 1,
      lastCheckedAt: null,
      nextActionAt: null,
      checks: 0,
      notFoundAnswers: 0,
      unconfirmedSuccesses: 0,
      contradictions: [],
    },
    idempotencyKey: command.idempotencyKey,
    nextActionInMs: reserved ? LEASE_MS : Math.ceil(prepared.closedForMs),
    actor: prepared.actor,
    controlsVersion: prepared.controls?.version ?? null,
    screens: judgement?.screens ?? NO_SCREENS,
    expiresAfterMs: isWaiting ? (judgement?.expiresAfterMs ?? null) : null,
  };
}
