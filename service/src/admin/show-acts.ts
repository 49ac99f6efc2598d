import type { ActFacts, ActKind } from '../acts/act.ts';
import { ANY_ACT, type RecordedAct } from '../acts/list-acts.ts';
import { listAllActs } from '../cells/list-all-acts.ts';
import { harmless } from '../domain/harmless-text.ts';
import type { AdminDeps, Answer } from './add-command.ts';
import { formatFields, formatTime } from './format-table.ts';
import { readMerchantId, withUnanswered } from './in-cell.ts';

const ACTS_LISTED_MAX = 500;

export type ActOptions = Readonly<{
  actor?: string;
  merchant?: string;
  kind?: ActKind;
  from?: Date;
  to?: Date;
}>;

/** Lists what administrators did, for who must answer for it. */
export async function showActs(deps: AdminDeps, options: ActOptions): Promise<Answer> {
  const { actor, merchant, kind, from, to } = options;
  const filter = {
    ...ANY_ACT,
    actor: actor?.normalize('NFC').trim() ?? null,
    merchantId: await readMerchantId(deps, merchant),
    kind: kind ?? null,
    from: from ?? null,
    to: to ?? null,
  };
  const page = { limit: ACTS_LISTED_MAX, before: null };
  const request = { filter, books: null, page };
  const { acts, next, unansweredCells } = await listAllActs(deps, request);
  const more = next !== null;
  const json = { acts: acts.map(toActJson), more, unansweredCells };
  if (acts.length === 0) {
    return { json, text: withUnanswered('No such act is recorded.', unansweredCells) };
  }
  const blocks = acts.map(describeAct).join('\n\n');
  const text = more ? `${blocks}\n\n… and earlier ones, which are not listed.` : blocks;
  return { json, text: withUnanswered(text, unansweredCells) };
}

export type ActJson = ReturnType<typeof toActJson>;

function toActJson(act: RecordedAct) {
  return {
    id: act.id,
    at: act.at,
    actorKind: act.actor.kind,
    actor: act.actor.name,
    kind: act.kind,
    subject: act.subject,
    merchant: act.merchant?.name ?? null,
    reason: act.reason,
    before: act.before,
    after: act.after,
  };
}

function describeAct(act: RecordedAct): string {
  const { kind, name } = act.actor;
  const who = kind === 'person' ? name : `${name} (${kind})`;
  const fields: readonly (readonly [string, string | null])[] = [
    ['on', act.subject],
    ['merchant', act.merchant?.name ?? null],
    ['before', describeFacts(act.before)],
    ['after', describeFacts(act.after)],
    ['why', act.reason],
  ];
  const known = fields.flatMap(([name, value]) =>
    value === null ? [] : [[name, harmless(value)] as const],
  );
  return `${formatTime(act.at)} ${act.kind} by ${harmless(who)}\n${formatFields(known)}`;
}

/** In the order of their names, since the database keeps none. */
function describeFacts(facts: ActFacts | null): string | null {
  if (facts === null) return null;
  return Object.entries(facts)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name} ${describeValue(value)}`)
    .join(', ');
}

function describeValue(value: ActFacts[string]): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? `[${value.join(' ')}]` : String(value);
}
