import type { Dossier, StaffEntry } from '../../api/staff-types.ts';
import { formatSums } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import type { TagTone } from '../../parts/words.tsx';
import { nameOutcome } from '../../texts/en/decisions.ts';
import { doubt as texts } from '../../texts/en/doubt.ts';

export type Evidence = Readonly<{
  key: string;
  at: string;
  source: string;
  by: string | null;
  says: string;
  isCode: boolean;
  detail: string | null;
  proves: Readonly<{ word: string; tone: TagTone | undefined }>;
  /** The same was heard so many times before. */
  same: Readonly<{ count: number; since: string }> | null;
}>;

const NOTHING = { word: texts.known.nothing, tone: undefined };
const CONTRADICTS = { word: texts.known.contradicts, tone: 'bad' } as const;
const ENDED = { word: texts.known.ended, tone: undefined };

/** What a decision can rest on, newest first. Equal answers in a row are one line. */
export function readEvidence({ transfer, entries, proposal }: Dossier): readonly Evidence[] {
  const context: Context = {
    operator: formatOperator(transfer.operator),
    currency: transfer.currency,
    isOpen: transfer.state === 'in_doubt',
    proposedAt: proposal?.at,
    closedIncidents: findClosed(entries),
  };
  const read = entries.flatMap((entry, index) => {
    const evidence = readEntry(entry, context);
    return evidence === undefined
      ? []
      : [{ ...evidence, key: String(index), at: entry.at, same: null }];
  });
  return read.toReversed().reduce<readonly Evidence[]>(joinEqual, []);
}

function joinEqual(before: readonly Evidence[], next: Evidence): readonly Evidence[] {
  const last = before.at(-1);
  const isEqual =
    last !== undefined &&
    last.source === next.source &&
    last.says === next.says &&
    last.detail === next.detail &&
    last.proves.word === next.proves.word &&
    next.isCode;
  if (!isEqual) return [...before, next];
  const same = { count: (last.same?.count ?? 0) + 1, since: next.at };
  return [...before.slice(0, -1), { ...last, same }];
}

type Read = Omit<Evidence, 'key' | 'at' | 'same'>;
type Context = Readonly<{
  operator: string;
  /** In which it was sent. */
  currency: string;
  isOpen: boolean;
  /** When the open proposal was made; undefined: none is open. */
  proposedAt: string | undefined;
  closedIncidents: ReadonlySet<string>;
}>;

/** An incident has an entry for its opening, and one more for its end. */
function findClosed(entries: readonly StaffEntry[]): ReadonlySet<string> {
  const ids = entries.flatMap(({ facts }) => facts.incidentId ?? []);
  return new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
}

function readEntry(entry: StaffEntry, context: Context): Read | undefined {
  switch (entry.kind) {
    case 'attempt':
      return readAttempt(entry, context);
    case 'callback':
      return readCallback(entry, context);
    case 'person':
      return {
        source: texts.known.person,
        by: entry.actor?.name ?? null,
        says: entry.title,
        isCode: false,
        detail: entry.detail,
        proves: isOpenProposal(entry, context)
          ? { word: texts.known.needsSecond, tone: 'doubt' }
          : ENDED,
      };
    case 'incident':
      return {
        source: texts.known.incident,
        by: entry.actor?.name ?? null,
        says: entry.title,
        isCode: false,
        detail: entry.detail,
        proves: context.closedIncidents.has(entry.facts.incidentId ?? '') ? NOTHING : CONTRADICTS,
      };
    default:
      return undefined;
  }
}

function isOpenProposal({ at, facts }: StaffEntry, { proposedAt }: Context): boolean {
  return facts.endedAs === undefined && at === proposedAt;
}

function readAttempt({ facts, detail }: StaffEntry, context: Context): Read {
  const outcome = facts.outcome ?? '';
  const operation = facts.operation ?? '';
  const status = facts.httpStatus;
  const heard = texts.known.taken(nameOutcome(outcome));
  const answered = typeof status === 'number' ? texts.known.http(status) : texts.known.noAnswer;
  const said = operation === 'callback' ? texts.known.signed : answered;
  return {
    source: sourceOf(operation, context.operator),
    by: null,
    says: detail === null ? said : `${said} ${detail}`,
    isCode: true,
    detail: heard,
    proves: provesOf({ outcome, operation, isOpen: context.isOpen }),
  };
}

function sourceOf(operation: string, operator: string): string {
  if (operation === 'submit') return texts.known.ourRequest;
  if (operation === 'resubmit') return texts.known.ourRepeat;
  if (operation === 'callback') return texts.known.callback(operator);
  if (operation === 'recall') return texts.known.recall(operator);
  return texts.known.answer(operator);
}

/** While it is in doubt no answer was proof by itself, else the service would have ended it. */
function provesOf({
  outcome,
  operation,
  isOpen,
}: Readonly<{ outcome: string; operation: string; isOpen: boolean }>): Evidence['proves'] {
  // What a recall is answered says nothing about whether it was paid.
  if (operation === 'recall') return NOTHING;
  if (outcome === 'mismatched') return CONTRADICTS;
  const isWord = outcome === 'paid' || outcome === 'rejected' || outcome === 'returned';
  // A refusal of the same order says nothing about the first one.
  if (!isWord || (outcome === 'rejected' && operation === 'resubmit')) return NOTHING;
  if (isOpen) return { word: texts.known.notAlone, tone: 'caution' };
  if (outcome === 'paid') return { word: texts.known.paid, tone: 'good' };
  if (outcome === 'returned') return { word: texts.known.returned, tone: 'bad' };
  return { word: texts.known.notPaid, tone: 'bad' };
}

/**
 * A callback is never proof by itself. What the service took as an answer is among the attempts; else it asks the
 * operator.
 */
function readCallback({ facts, detail }: StaffEntry, { operator, currency }: Context): Read {
  const { claims } = facts;
  const differences = sayDifferences(facts, currency);
  return {
    source: texts.known.callback(operator),
    by: facts.verified === true ? texts.known.verified : texts.known.notVerified,
    says: sayClaims(claims, differences),
    isCode: false,
    detail,
    proves: claims === 'paid' && differences.length > 0 ? CONTRADICTS : NOTHING,
  };
}

function sayClaims(claims: StaffEntry['facts']['claims'], differences: readonly string[]): string {
  if (typeof claims !== 'string') return texts.known.callbackUnread;
  if (differences.length === 0) return texts.known.callbackSays(claims);
  return texts.known.callbackDiffers(claims, differences);
}

/** What a callback reports otherwise than it was sent. */
function sayDifferences(
  { reportedAmount, reportedCurrency, reportedPhone }: StaffEntry['facts'],
  sentIn: string,
): readonly string[] {
  const sum = reportedAmount ?? null;
  const currency = reportedCurrency ?? null;
  const phone = reportedPhone ?? null;
  return [
    ...(sum === null
      ? []
      : [texts.known.otherAmount(formatSums([{ currency: currency ?? sentIn, sum }]))]),
    ...(sum !== null || currency === null ? [] : [texts.known.otherCurrency(currency)]),
    ...(phone === null ? [] : [texts.known.otherNumber(phone)]),
  ];
}
