import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { ONE_PERSON } from '../approvals/approval.ts';
import { canBeGiven, findPeopleOfActors } from '../approvals/can-be-given.ts';
import { type Actor, actorCode, nameActor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import { formatMinor } from '../domain/money.ts';
import { refuse } from '../domain/refusal.ts';
import { findSendAtProblem } from '../domain/send-at.ts';
import {
  type Database,
  type Queryable,
  type Statement,
  violatedConstraint,
} from '../postgres/database.ts';
import { addMaker } from './add-maker.ts';
import { chooseWallet } from './choose-wallet.ts';
import {
  createFileContent,
  type FileContent,
  type FileOrder,
  type RowContent,
} from './file-content.ts';
import { type DraftFile, findDraftContent, lockDraftContent } from './find-draft-content.ts';
import { createFileJudge, type FileJudgement, type JudgeDeps } from './judge-file.ts';
import { markOccurrence } from './mark-occurrence.ts';
import { AT_ONCE, moveFile } from './move-file.ts';
import { priceDraft } from './price-draft.ts';
import { readPayableRows } from './read-payable-rows.ts';
import type { SubmittedBy } from './submitted-file.ts';

export type SubmitDeps = ActDeps & JudgeDeps & Readonly<{ database: Database }>;

export type Submission = Readonly<{
  book: Book;
  actor: Actor;
  id: string;
  /** The hash of the content that the maker was shown; null: not given. */
  contentHash: string | null;
  /** The version of the draft that the maker was shown, or that a schedule claimed; null: not given. */
  version?: number | null;
  /** Null: that of the file, or the only one in its currency. */
  walletId: string | null;
  /** Null: at once, or as soon as it is approved. */
  payAt: Date | null;
  /** It waits for a person also where the policy asks for none. */
  waitsForPerson?: boolean;
}>;

/**
 * Freezes a draft under a content hash, judges it by the policy, and has it paid, scheduled or wait for approvals. The
 * same submission again changes nothing. The rows are read without a lock, and the file's version says at the end that
 * they are still the same.
 */
export async function submitFile(deps: SubmitDeps, submission: Submission): Promise<void> {
  const { book, id } = submission;
  const found = await findDraftContent(deps.database, { bookId: book.id, id });
  refuseOtherVersion(found, submission);
  if (found.contentHash !== null) return confirmRepeated(deps, found, submission);
  const currency = refuseUnready(found, submission, deps.now());
  const draft = await priceDraft(deps, found, { bookId: book.id, wasShown: wasShown(submission) });
  const walletId = await chooseWallet(deps.database, {
    bookId: book.id,
    walletId: submission.walletId ?? draft.walletId,
    currency,
  });
  const order = {
    bookId: book.id,
    fileId: id,
    currency,
    walletId,
    payAt: submission.payAt,
  };
  const maker = makerOf(submission.actor, draft);
  const { source, references } = draft;
  const judge = await createFileJudge(deps, { book, maker, source, references, order });
  const content = createFileContent();
  const own = new Set<string>();
  for await (const rows of readPayableRows(deps.database, { bookId: book.id, id })) {
    for (const row of rows) {
      content.add(row);
      if (references === 'given') refuseRepeated(own, row);
    }
    await judge.add(rows);
  }
  refuseOtherContent(content, { draft, order, given: submission.contentHash });
  const judgement = await judge.finish();
  await refuseImpossible(deps, { submission, draft, judgement });
  const frozen = { submission, draft, order, content, judgement };
  await actAs(deps, submission.actor, (tx) => freeze(tx, deps, frozen)).catch((error: unknown) => {
    throw violatedConstraint(error) === RETRIED_ONCE ? refuse('INVALID_STATE', RETRIED) : error;
  });
}

/** Of two rows with one reference the second would be taken for the first, and its recipient would get nothing. */
function refuseRepeated(known: Set<string>, { number, givenReference }: RowContent): void {
  if (givenReference !== null && !known.has(givenReference)) {
    known.add(givenReference);
    return;
  }
  throw refuse('FILE_HAS_PROBLEMS', {
    message: `Row ${number} has no reference of its own. Correct or drop it. Nothing was submitted.`,
  });
}

/** A schedule takes the fees of today. */
const wasShown = ({ actor, version = null, contentHash }: Submission) =>
  actor.kind !== 'system' && (version !== null || contentHash !== null);

/** The version stays when a draft is submitted: who saw an earlier one did not see what was submitted. */
function refuseOtherVersion(draft: DraftFile, { actor, version = null }: Submission): void {
  if (version === null || version === draft.version) return;
  throw refuse(
    'CONTENT_CHANGED',
    actor.kind === 'system' ? CHANGED_MEANWHILE : CHANGED_SINCE_SHOWN,
  );
}

const CHANGED_SINCE_SHOWN = {
  message:
    'The file was changed while you looked at it. Look at the count and the sum again. Nothing was submitted.',
};
const CHANGED_MEANWHILE = {
  message: 'The file was changed while it was submitted. Look at it again, then submit it.',
};

/** The unique index of failed rows that are paid again. */
const RETRIED_ONCE = 'payout_file_rows_retried';
const RETRIED = {
  message:
    'Some of these failed rows are paid again by another file already. Drop them, or make a new file of the failed rows. Nothing was submitted.',
};

/** What the people who did not make it cannot approve would wait for nothing. */
async function refuseImpossible(
  { database }: SubmitDeps,
  { submission, draft, judgement }: Pick<Frozen, 'submission' | 'draft' | 'judgement'>,
): Promise<void> {
  const { book, actor, waitsForPerson = false } = submission;
  const { approvals } = judgement;
  const requirements = approvals.length === 0 && waitsForPerson ? ONE_PERSON : approvals;
  if (requirements.length === 0) return;
  const codes = [actorCode(actor), ...draft.makers];
  const makerIds = await findPeopleOfActors(database, { bookId: book.id, codes });
  if (await canBeGiven(database, { book, requirements, makerIds })) return;
  throw refuse('APPROVAL_IMPOSSIBLE');
}

/** A schedule submits in its maker's name. */
function makerOf(actor: Actor, { madeBy, madeByKey }: DraftFile): SubmittedBy {
  if (actor.kind === 'person') return { personId: actor.id, keyId: null };
  if (actor.kind === 'key') return { personId: null, keyId: actor.id };
  return { personId: madeBy, keyId: madeByKey };
}

/** A submission whose answer was lost comes again. Refuses one that is not the same. */
async function confirmRepeated(
  { database }: SubmitDeps,
  file: DraftFile,
  { book, id, contentHash, walletId, payAt }: Submission,
): Promise<void> {
  const { currency } = file;
  const isSame =
    (walletId === null || walletId === file.walletId) && payAt?.getTime() === file.payAt?.getTime();
  if (!isSame || currency === null) {
    throw refuse('INVALID_STATE', {
      message: 'The file was submitted already, with another wallet or time. Nothing was changed.',
    });
  }
  if (contentHash === null || contentHash === file.contentHash) return;
  const content = createFileContent();
  for await (const rows of readPayableRows(database, { bookId: book.id, id })) {
    for (const row of rows) content.add(row);
  }
  const order = { bookId: book.id, fileId: id, currency, payAt: null };
  const asDraft = [file.walletId, null].map((of) => content.hash({ ...order, walletId: of }));
  if (!asDraft.includes(contentHash)) throw refuse('CONTENT_CHANGED');
}

/** Returns the currency of a draft that can be submitted. */
function refuseUnready(draft: DraftFile, { book, payAt }: Submission, now: Date) {
  if (book.isSuspended) throw refuse('FORBIDDEN');
  if (draft.state !== 'draft') {
    throw refuse('INVALID_STATE', {
      message: `The file is ${draft.state}. Only a draft that is checked can be submitted.`,
    });
  }
  const payAtProblem = findSendAtProblem(payAt, now);
  if (payAtProblem !== null) {
    const { code, message } = payAtProblem;
    throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('payAt', code, message)] });
  }
  if (draft.rowsProblem > 0 || draft.problemCode !== null) throw refuse('FILE_HAS_PROBLEMS');
  if (draft.currency === null || draft.rowsTotal === draft.rowsDropped) {
    throw refuse('FILE_HAS_PROBLEMS', {
      message: 'The file has no row that can be paid. Nothing was submitted.',
    });
  }
  return draft.currency;
}

/** People may have looked at the draft, which has no time yet, or at all that they submit. */
function refuseOtherContent(
  content: FileContent,
  { draft, order, given }: Readonly<{ draft: DraftFile; order: FileOrder; given: string | null }>,
): void {
  if (given === null || given === content.hash(order)) return;
  const asDraft = content.hash({ ...order, walletId: draft.walletId, payAt: null });
  if (given !== asDraft) throw refuse('CONTENT_CHANGED');
}

type Frozen = Readonly<{
  submission: Submission;
  draft: DraftFile;
  order: FileOrder;
  content: FileContent;
  judgement: FileJudgement;
}>;

async function freeze(
  tx: Queryable,
  deps: SubmitDeps,
  { submission, draft, order, content, judgement }: Frozen,
): Promise<void> {
  const { book, actor, id, payAt } = submission;
  const key = { bookId: book.id, id };
  const locked = await lockDraftContent(tx, key);
  // Two at once: the second finds what the first made.
  if (locked.contentHash !== null) return confirmRepeated(deps, locked, submission);
  if (locked.state !== 'draft' || locked.version !== draft.version) {
    throw refuse('CONTENT_CHANGED', CHANGED_MEANWHILE);
  }
  const at = deps.now();
  const { approvals } = judgement;
  await tx.query(FREEZE, [
    book.id,
    id,
    content.hash(order),
    at,
    actor.kind === 'person' ? actor.id : null,
    actor.kind === 'key' ? actor.id : null,
    nameActor(actor),
    order.walletId,
    payAt,
    judgement.policyVersion,
    JSON.stringify(judgement.rules),
    approvals.length === 0 ? null : JSON.stringify(approvals),
  ]);
  await addMaker(tx, { ...key, actor });
  await tx.query(WAIT, [book.id, id]);
  if (draft.source === 'schedule') await markOccurrence(tx, key);
  const isAwaiting = approvals.length > 0 || submission.waitsForPerson === true;
  const to = isAwaiting ? 'awaiting_approval' : payAt === null ? 'paying' : 'scheduled';
  await moveFile(tx, {
    ...key,
    from: ['draft'],
    to,
    actor,
    cause: 'FILE_SUBMITTED',
    at,
    due: isAwaiting ? { inMs: judgement.expiresAfterMs } : (payAt ?? AT_ONCE),
  });
  await recordAct(tx, deps, {
    actor,
    kind: 'PAYOUT_FILE_SUBMITTED',
    subject: id,
    merchantId: book.merchantId,
    bookId: book.id,
    reason: null,
    before: null,
    after: {
      name: draft.name,
      state: to,
      rows: content.count(),
      sum: formatMinor(content.sumMinor()),
      currency: order.currency,
      contentHash: content.hash(order),
      payAt: payAt?.toISOString() ?? null,
    },
  });
}

const FREEZE: Statement = {
  name: 'freeze-file',
  text: `
    update payout_files
    set content_hash = $3, submitted_at = $4, submitted_by = $5, submitted_by_key = $6, submitted_by_name = $7,
        wallet_id = $8, pay_at = $9, policy_version = $10, rules = $11::jsonb, approvals_needed = $12::jsonb
    where book_id = $1 and id = $2`,
};

const WAIT: Statement = {
  name: 'let-rows-wait',
  text: `
    update payout_file_rows set state = 'waiting'
    where book_id = $1 and file_id = $2 and state = 'ready'`,
};
