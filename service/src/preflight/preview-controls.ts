import { canBeGiven, makersOf } from '../approvals/can-be-given.ts';
import type { ControlSnapshots } from '../controls/control-snapshots.ts';
import { type Judgement, judge } from '../controls/judge.ts';
import { readPastAnswers } from '../controls/past-answers.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import type { NameMatch } from '../domain/name-match.ts';
import { limitsLeft } from '../domain/policy/limits-left.ts';
import type { LimitLeft, Order } from '../domain/policy/order.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Queryable } from '../postgres/database.ts';

type PreviewDeps = Readonly<{ database: Queryable; controls: ControlSnapshots }>;

/** What the controls of the book would say about an order now. */
export type ControlsPreview = Readonly<{
  refusal: Refusal | null;
  approvals: NonNullable<Judgement['approvalsNeeded']>;
  warnings: readonly string[];
  limits: readonly LimitLeft[];
}>;

export const NO_CONTROLS: ControlsPreview = {
  refusal: null,
  approvals: [],
  warnings: [],
  limits: [],
};

/** Judges without locks: what others order meanwhile is not in it. */
export async function previewControls(
  { database, controls: snapshots }: PreviewDeps,
  asked: Readonly<{ book: Book; actor: Actor; order: Order; nameMatch: NameMatch | null }>,
): Promise<ControlsPreview> {
  const { book, order, nameMatch } = asked;
  const controls = await snapshots.findCurrent(book.id);
  if (controls === null) return NO_CONTROLS;
  const one = { bookId: book.id, controls, order, nameMatch, preApproved: [] };
  const past = await readPastAnswers(database, [one], order.at);
  const knowledge = past.knowledgeOf(one);
  const judgement = judge(controls, order, knowledge);
  return {
    refusal: judgement.refusal ?? (await refuseImpossible(database, asked, judgement)),
    approvals: judgement.approvalsNeeded ?? [],
    warnings: judgement.warnings,
    limits: controls.policy === null ? [] : limitsLeft(controls.policy, order, knowledge.answers),
  };
}

async function refuseImpossible(
  database: Queryable,
  { book, actor }: Readonly<{ book: Book; actor: Actor }>,
  { approvalsNeeded }: Judgement,
): Promise<Refusal | null> {
  if (approvalsNeeded === null || approvalsNeeded.length === 0) return null;
  const makerIds = await makersOf(database, { bookId: book.id, actor });
  const isPossible = await canBeGiven(database, {
    book,
    requirements: approvalsNeeded,
    makerIds,
  });
  return isPossible ? null : refuse('APPROVAL_IMPOSSIBLE');
}
