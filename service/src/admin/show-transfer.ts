import { formatMinor } from '../domain/money.ts';
import { maskPhone } from '../domain/phone-number.ts';
import { describeDecision } from '../transfers/proposal.ts';
import { readTimeline, type Timeline } from '../transfers/read-timeline.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { type Clean, cleanFor } from './clean-timeline.ts';
import { describeProposal, describeTimeline } from './describe-timeline.ts';
import { formatFields, formatTime } from './format-table.ts';
import { harmlessDocument } from './harmless-text.ts';
import { readKnownSecrets } from './known-secrets.ts';
import { toProposalJson, toTimelineJson } from './timeline-json.ts';

/** All that is known of one transfer, readable in the middle of the night. */
export async function showTransfer(
  deps: AdminDeps,
  { id, reveal }: Readonly<{ id: string; reveal: boolean }>,
): Promise<Answer> {
  const timeline = await readTimeline(deps.database, { id, now: deps.now() });
  const secretsOf = await readKnownSecrets(deps.env);
  const clean = cleanFor(timeline, { secretsOf, reveal });
  const { transfer } = timeline;
  const phone = reveal ? transfer.phone : maskPhone(transfer.phone);
  const title = `Transfer ${transfer.id}: ${describeState(timeline)}`;
  const happened = describeTimeline(timeline.entries, clean);
  const fields = formatFields(describeFields(timeline, { phone, clean }));
  const todo = adviseOn(timeline, clean).map((line) => `  ${line}`);
  return {
    json: toJson(timeline, { phone, clean }),
    text: `${title}\n\n${fields}\n\nWhat happened (UTC):\n\n${happened}\n\nWhat to do:\n\n${todo.join('\n')}`,
  };
}

function describeState({ transfer, flaggedAt }: Timeline): string {
  const since = transfer.inDoubtSince ?? transfer.updatedAt;
  const person = flaggedAt === null ? '' : ', and waits for a person';
  return `${transfer.state} since ${formatTime(since)}${person}`;
}

type Shown = Readonly<{ phone: string; clean: Clean }>;

function describeFields(timeline: Timeline, { phone, clean }: Shown): [string, string][] {
  const { transfer, merchant } = timeline;
  const { operator, country, currency, route } = transfer;
  const name = transfer.recipientName === null ? '' : `, ${transfer.recipientName}`;
  const amount = `${formatMinor(transfer.amountMinor)} ${currency}`;
  const fields: [string, string][] = [
    ['merchant', `${merchant}, ${transfer.mode}`],
    ['reference', transfer.reference],
    ['amount', `${amount}, fee ${formatMinor(transfer.feeMinor)}`],
    ['to', `${phone}${name}`],
    ['operator', `${operator} (${country}), route ${route}`],
    ['operator reference', transfer.operatorReference],
    ['receipt', transfer.operatorTransactionId ?? 'none'],
    ['asked', describeQuestions(timeline)],
    ...describeResubmissions(timeline),
    ...describeContradictions(timeline),
  ];
  return fields.map(([title, value]) => [title, title === 'to' ? value : clean(value)]);
}

function describeResubmissions({ transfer: { resubmissions } }: Timeline): [string, string][] {
  if (resubmissions === 0) return [];
  const times = resubmissions === 1 ? 'once' : `${resubmissions} times`;
  return [['submitted again', `${times}, under the same operator reference`]];
}

function describeContradictions({ transfer }: Timeline): [string, string][] {
  const { contradictions } = transfer;
  return contradictions.length === 0
    ? []
    : [['told otherwise', `${contradictions.join(', ')}: not as it was sent`]];
}

function describeQuestions({ transfer }: Timeline): string {
  const { checks, lastCheckedAt, nextActionAt } = transfer;
  const times = checks === 1 ? 'once' : `${checks} times`;
  const last = lastCheckedAt === null ? '' : `, last at ${formatTime(lastCheckedAt)}`;
  const next = nextActionAt === null ? 'no further question is planned' : formatTime(nextActionAt);
  return `${times}${last}; next: ${next}`;
}

/** The next command, spelt out: nobody should have to think of it at night. */
function adviseOn(timeline: Timeline, clean: Clean): string[] {
  const { transfer, openProposal } = timeline;
  const { id, operator, country, operatorReference } = transfer;
  if (openProposal !== null) {
    const { decision, receipt } = openProposal;
    const flag = decision === 'paid' ? ` --paid ${quote(receipt ?? '')}` : ' --not-paid';
    const command = decision === 'reversed' ? `reverse ${id}` : `resolve ${id}${flag}`;
    return [
      clean(describeProposal(openProposal)),
      `If another administrator finds for themselves that ${clean(describeDecision(openProposal))}:`,
      `  ${CALL} transfers ${clean(command)} --evidence "WHAT THEY SAW"`,
      `If not:  ${CALL} transfers withdraw ${id}`,
    ];
  }
  if (transfer.state !== 'in_doubt') return adviseAfterwards(timeline);
  const ask = `Ask ${operator} (${country}) about operator reference ${operatorReference}.`;
  const waits = transfer.nextActionAt !== null && timeline.flaggedAt === null;
  const first = waits
    ? ['Wait: the service goes on asking, and most doubts end by themselves.']
    : [];
  return [
    ...first,
    ask,
    'Only proof decides; the money stays held until then. With proof, two administrators say the same:',
    `  ${CALL} transfers resolve ${id} --paid RECEIPT --evidence "WHAT YOU SAW"`,
    `  ${CALL} transfers resolve ${id} --not-paid --evidence "WHAT YOU SAW"`,
    'Never pay it in another way, and never decide by its age. See docs/runbooks/in-doubt.md.',
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

/** The line is there to be copied into a shell, and its words came from somebody else. */
function quote(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function toJson(timeline: Timeline, { phone, clean }: Shown): Record<string, unknown> {
  const { transfer, merchant, flaggedAt, openProposal, entries } = timeline;
  const { amountMinor, feeMinor, ...rest } = transfer;
  const amounts = { amount: formatMinor(amountMinor), fee: formatMinor(feeMinor) };
  return {
    transfer: harmlessDocument({ ...rest, ...amounts, phone, merchant, flaggedAt }),
    proposal: openProposal === null ? null : harmlessDocument(toProposalJson(openProposal)),
    timeline: entries.map((entry) => harmlessDocument(toTimelineJson(entry, clean))),
  };
}
