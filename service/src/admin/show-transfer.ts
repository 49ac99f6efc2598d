import { type DoubtOutlook, describeDoubt } from '../domain/describe-doubt.ts';
import { harmlessDocument } from '../domain/harmless-text.ts';
import { formatMinor } from '../domain/money.ts';
import { maskPhone } from '../domain/phone-number.ts';
import { NO_ROUTE } from '../domain/transfer.ts';
import { describeResolution } from '../resolutions/proposal.ts';
import { revealPhone } from '../resolutions/reveal-phone.ts';
import { readTimeline, type Timeline } from '../timelines/read-timeline.ts';
import { findNamedTransfer, type TransferName } from '../transfers/read/find-any-transfer.ts';
import { findNamedTransferCell } from '../transfers/read/find-transfer-cell.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { type Clean, cleanFor } from './clean-timeline.ts';
import { describeProposal, describeTimeline } from './describe-timeline.ts';
import { formatFields, formatTime } from './format-table.ts';
import { readKnownSecrets } from './known-secrets.ts';
import { toProposalJson, toTimelineJson } from './timeline-json.ts';
import { withRouteRules } from './with-route-rules.ts';

/** All that is known of one transfer, readable in the middle of the night. */
export async function showTransfer(
  deps: AdminDeps,
  { name, reveal }: Readonly<{ name: TransferName; reveal: boolean }>,
): Promise<Answer> {
  const { database } = await findNamedTransferCell(deps, name);
  const found = await findNamedTransfer(database, name);
  if (reveal) {
    const actor = await requireAdministrator(deps);
    await revealPhone({ ...deps, database }, { actor, id: found.transfer.id });
  }
  const { directory } = deps;
  const about = { id: found.transfer.id, now: deps.now(), directory };
  const timeline = await readTimeline(database, about);
  const secretsOf = await readKnownSecrets(deps.env);
  const outlook = await readOutlook(deps, timeline);
  const clean = cleanFor(timeline, { secretsOf, reveal });
  const { transfer } = timeline;
  const phone = reveal ? transfer.phone : maskPhone(transfer.phone);
  const title = `Transfer ${transfer.id}: ${describeState(timeline)}`;
  const happened = describeTimeline(timeline.entries, clean);
  const shown = { phone, clean, outlook };
  const fields = formatFields(describeFields(timeline, shown));
  const todo = adviseOn(timeline, shown).map((line) => `  ${line}`);
  return {
    json: toJson(timeline, shown),
    text: `${title}\n\n${fields}\n\nWhat happened (UTC):\n\n${happened}\n\nWhat to do:\n\n${todo.join('\n')}`,
  };
}

function describeState({ transfer, flaggedAt }: Timeline): string {
  const since = transfer.inDoubtSince ?? transfer.updatedAt;
  const person = flaggedAt === null ? '' : ', and waits for a person';
  return `${transfer.state} since ${formatTime(since)}${person}`;
}

/** Null: it is not in doubt. */
async function readOutlook(
  deps: AdminDeps,
  { transfer, flaggedAt }: Timeline,
): Promise<DoubtOutlook | null> {
  const { doubtKind: kind, route } = transfer;
  if (kind === null) return null;
  const facts = { transfer, kind, isFlagged: flaggedAt !== null, now: deps.now() };
  return withRouteRules(deps, async (rulesOf) => describeDoubt(facts, rulesOf(route)));
}

type Shown = Readonly<{ phone: string; clean: Clean; outlook: DoubtOutlook | null }>;

function describeFields(timeline: Timeline, { phone, clean, outlook }: Shown): [string, string][] {
  const { transfer, merchant } = timeline;
  const { operator, country, currency, route, sendAt } = transfer;
  const name = transfer.recipientName === null ? '' : `, ${transfer.recipientName}`;
  const amount = `${formatMinor(transfer.amountMinor)} ${currency}`;
  const fields: [string, string][] = [
    ['merchant', `${merchant}, ${transfer.mode}`],
    ['reference', transfer.reference],
    ['amount', `${amount}, fee ${formatMinor(transfer.feeMinor)}`],
    ['to', `${phone}${name}`],
    [
      'operator',
      `${operator} (${country}), route ${route === NO_ROUTE ? 'not chosen yet' : route}`,
    ],
    ...(sendAt === null ? [] : [['to be sent at', formatTime(sendAt)] as [string, string]]),
    ['operator reference', transfer.operatorReference],
    ['receipt', transfer.operatorTransactionId ?? 'none'],
    ...(outlook === null ? [] : [['why', `${outlook.kind}: ${outlook.says}`] as [string, string]]),
    ['asked', describeInquiries(timeline)],
    ...describeResubmissions(timeline, outlook),
    ...describeContradictions(timeline),
  ];
  return fields.map(([title, value]) => [title, title === 'to' ? value : clean(value)]);
}

function describeContradictions({ transfer }: Timeline): [string, string][] {
  const { contradictions } = transfer;
  return contradictions.length === 0
    ? []
    : [['told otherwise', `${contradictions.join(', ')}: not as it was sent`]];
}

function describeInquiries({ transfer, entries }: Timeline): string {
  const { checks, lastCheckedAt, nextActionAt } = transfer;
  const exchanges = entries.flatMap((entry) => (entry.sort === 'attempt' ? [entry.attempt] : []));
  const inquiries = exchanges.filter(({ purpose }) => purpose === 'inquire');
  const times = describeTimes(Math.max(checks, inquiries.length));
  const last = lastCheckedAt === null ? '' : `, last at ${formatTime(lastCheckedAt)}`;
  const answer = exchanges.findLast(({ purpose }) => purpose !== 'recall')?.outcome;
  const said = answer === undefined ? '' : `, last answer: ${answer}`;
  const next = nextActionAt === null ? 'no further inquiry is planned' : formatTime(nextActionAt);
  return `${times}${last}${said}; next: ${next}`;
}

function describeTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function describeResubmissions(
  { transfer: { resubmissions } }: Timeline,
  outlook: DoubtOutlook | null,
): [string, string][] {
  const at = outlook?.resubmissionAt ?? null;
  if (resubmissions === 0 && at === null) return [];
  const so = at === null ? '' : `; again from ${formatTime(at)}, while it is not found`;
  const times = `${describeTimes(resubmissions)}, under the same operator reference`;
  return [['submitted again', `${times}${so}`]];
}

/** The next command, spelt out: it need not be worked out at night. */
function adviseOn(timeline: Timeline, { clean, outlook }: Shown): string[] {
  const { transfer, openProposal } = timeline;
  const { id, operator, country, operatorReference } = transfer;
  if (openProposal !== null) {
    const { decision, receipt } = openProposal;
    const flag = decision === 'paid' ? ` --paid ${quote(receipt ?? '')}` : ' --not-paid';
    const command = decision === 'reversed' ? `reverse ${id}` : `resolve ${id}${flag}`;
    return [
      clean(describeProposal(openProposal)),
      `If another administrator finds for themselves that ${clean(describeResolution(openProposal))}:`,
      `  ${CALL} transfers ${clean(command)} --evidence "WHAT THEY SAW"`,
      `If not:  ${CALL} transfers withdraw ${id}`,
    ];
  }
  if (outlook === null) return adviseAfterwards(timeline);
  const ask = `Ask ${operator} (${country}) about operator reference ${operatorReference}.`;
  const first = outlook.needsPerson
    ? []
    : ['Wait: the service goes on asking, and most doubts end by themselves.'];
  return [
    ...first,
    ask,
    'Only proof decides; the money stays held until then. With proof, two administrators say the same:',
    `  ${CALL} transfers resolve ${id} --paid RECEIPT --evidence "WHAT YOU SAW"`,
    `  ${CALL} transfers resolve ${id} --not-paid --evidence "WHAT YOU SAW"`,
    'Never pay it in another way, and never decide by its age. See docs/runbooks/in-doubt.md, and of this',
    `kind of doubt docs/runbooks/doubts.md, ${outlook.kind}.`,
  ];
}

function adviseAfterwards({ entries }: Timeline): string[] {
  const open = entries.flatMap((entry) =>
    entry.sort === 'incident opened' && entry.incident.closed === null ? [entry.incident] : [],
  );
  return open.length === 0
    ? ['Nothing is in doubt.']
    : [
        'Find out who is right. Once it is settled, put on record what became of it:',
        ...open.map(({ id }) => `  ${CALL} incidents close ${id} --note "WHAT BECAME OF IT"`),
      ];
}

/** The line is there to be copied into a shell, and its words came from outside. */
function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function toJson(timeline: Timeline, { phone, clean, outlook }: Shown): Record<string, unknown> {
  const { transfer, merchant, flaggedAt, openProposal, entries } = timeline;
  const { amountMinor, feeMinor, ...rest } = transfer;
  const amounts = { amount: formatMinor(amountMinor), fee: formatMinor(feeMinor) };
  return {
    transfer: harmlessDocument({ ...rest, ...amounts, phone, merchant, flaggedAt }),
    doubt: outlook,
    proposal: openProposal === null ? null : harmlessDocument(toProposalJson(openProposal)),
    timeline: entries.map((entry) => harmlessDocument(toTimelineJson(entry, clean))),
  };
}
