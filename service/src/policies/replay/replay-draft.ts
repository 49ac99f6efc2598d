import type { Book } from '../../domain/book.ts';
import { formatMinor } from '../../domain/money.ts';
import { type CompiledPolicy, compilePolicy } from '../../domain/policy/compile-policy.ts';
import { parsePolicy } from '../../domain/policy/parse-policy.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { findPolicy } from '../find-policy.ts';
import { findPolicyDraft } from '../find-policy-draft.ts';
import type { PolicyDocument } from '../policy-version.ts';
import { PolicyRun, rememberedMs } from './policy-run.ts';
import { dataNeededBy, readPast } from './read-past.ts';

/** Read for one replay, those before the period included. */
const TRANSFERS_MAX = 5_000_000;

/** As many transfers as may be read take five minutes. Its turn and its place among changes are then free again. */
const REPLAY_MAX_MS = 600_000;

export type ReplayDeps = Readonly<{
  database: Queryable;
  now: () => Date;
  monotonicMs: () => number;
}>;

type ReplayRequest = Readonly<{
  book: Book;
  from: Date;
  to: Date;
  /** Asked after each page: whether the answer is still wanted. */
  isAbandoned: () => boolean;
}>;

/** What a policy would have done. Sums are decimal text. */
type RunFigures = Readonly<{
  transfers: number;
  refused: number;
  approvals: number;
  warned: number;
  screened: number;
  byRule: readonly RuleResult[];
  /** False: there were more numbers than fit in memory, so some sums and counts are too small. */
  isExact: boolean;
}>;

type RuleResult = Readonly<{
  rule: string;
  matched: number;
  refused: number;
  /** Null: in more than one currency. */
  sum: string | null;
  sums: readonly Readonly<{ currency: string; sum: string }>[];
  /** Some of the transfers that matched, the oldest first. */
  samples: readonly string[];
}>;

type ReplayResult = RunFigures &
  Readonly<{
    from: string;
    to: string;
    at: string;
    /** The policy in force, over the same transfers. */
    inForce: RunFigures | null;
  }>;

/** Replays drafts, one at a time: each reads as fast as the database answers. */
export type Replays = Readonly<{ replay(request: ReplayRequest): Promise<ReplayResult> }>;

/** Whether a draft is being replayed in this process, in whichever cell. */
export type ReplayTurn = { isTaken: boolean };

export function createReplays(
  deps: ReplayDeps,
  /** Shared by all cells. Left out: there is no other. */
  turn: ReplayTurn = { isTaken: false },
): Replays {
  return {
    async replay(request) {
      if (turn.isTaken) throw refuse('RATE_LIMITED', ANOTHER);
      turn.isTaken = true;
      try {
        return await replayDraft(deps, request);
      } finally {
        turn.isTaken = false;
      }
    },
  };
}

async function replayDraft(deps: ReplayDeps, request: ReplayRequest): Promise<ReplayResult> {
  const { database } = deps;
  const { book, from, to } = request;
  const draft = await findPolicyDraft(database, book.id);
  if (draft === undefined) throw refuse('NOT_FOUND', NO_DRAFT);
  const inForce = await findPolicy(database, book.id);
  const run = new PolicyRun(compile(draft.document));
  const other = inForce === undefined ? undefined : new PolicyRun(compile(inForce.document));
  await runOver(deps, request, other === undefined ? [run] : [run, other]);

  const at = deps.now();
  const result: ReplayResult = {
    from: from.toISOString(),
    to: to.toISOString(),
    at: at.toISOString(),
    ...figuresOf(run),
    inForce: other === undefined ? null : figuresOf(other),
  };
  const text = JSON.stringify(result);
  const kept = await database.query(KEEP, [book.id, draft.contentHash, text, from, to, at]);
  if (kept.length === 0) throw refuse('CONTENT_CHANGED', CHANGED);
  return result;
}

function compile(document: PolicyDocument): CompiledPolicy {
  const parsed = parsePolicy(document);
  if (!parsed.isValid) throw refuse('VALIDATION_ERROR', { fields: parsed.problems });
  return compilePolicy(parsed.policy);
}

async function runOver(
  { database, monotonicMs }: ReplayDeps,
  { book, from, to, isAbandoned }: ReplayRequest,
  runs: readonly PolicyRun[],
): Promise<void> {
  const policies = runs.map(({ policy }) => policy);
  const earlierMs = Math.max(...policies.map(rememberedMs));
  const pages = readPast(database, {
    bookId: book.id,
    from: new Date(from.getTime() - earlierMs),
    to,
    needed: dataNeededBy(policies),
  });
  const endsMs = monotonicMs() + REPLAY_MAX_MS;
  let read = 0;
  for await (const page of pages) {
    if (isAbandoned()) throw refuse('UNAVAILABLE', STOPPED);
    if (monotonicMs() > endsMs) throw refuse('LIMIT_EXCEEDED', TOO_LONG);
    read += page.length;
    if (read > TRANSFERS_MAX) throw refuse('LIMIT_EXCEEDED', TOO_MANY);
    for (const past of page) {
      const isInPeriod = past.order.at >= from;
      for (const run of runs) {
        if (isInPeriod) run.judge(past);
        else run.remember(past);
      }
    }
  }
}

function figuresOf(run: PolicyRun): RunFigures {
  const { transfers, refused, approvals, warned, screened, isExact } = run;
  const byRule = [...run.byRule].map(([rule, figures]): RuleResult => {
    const sums = [...figures.sums].map(([currency, minor]) => ({
      currency,
      sum: formatMinor(minor),
    }));
    return {
      rule,
      matched: figures.matched,
      refused: figures.refused,
      sum: sums.length > 1 ? null : (sums[0]?.sum ?? '0.00'),
      sums,
      samples: figures.samples,
    };
  });
  return { transfers, refused, approvals, warned, screened, byRule, isExact };
}

const ANOTHER = {
  message: 'Another draft is being replayed. Wait until it has ended, then try again.',
  retryAfterSeconds: 10,
};
const NO_DRAFT = { message: 'The book has no draft. Save one first: PUT policy/draft.' };
const CHANGED = { message: 'The draft was changed while it was replayed. Replay it again.' };
const STOPPED = { message: 'The replay was stopped.' };
const TOO_LONG = {
  message: `The replay took more than ${REPLAY_MAX_MS / 60_000} minutes. Give a shorter period.`,
};
const TOO_MANY = {
  message: `There are more than ${TRANSFERS_MAX} transfers. Give a shorter period.`,
};

const KEEP: Statement = {
  name: '',
  text: `
    update policy_drafts set replay = $3::jsonb, replay_from = $4, replay_to = $5, replayed_at = $6
    where book_id = $1 and content_hash = $2
    returning book_id`,
};
