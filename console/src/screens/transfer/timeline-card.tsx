import type { Timeline, TimelineEntry } from '../../api/transfer-types.ts';
import type { Transfer, TransferState } from '../../api/types.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { transfer as texts } from '../../texts/en/transfer.ts';
import { withOperatorNames } from './operator-names.ts';

type Step = Readonly<{ entry: TimelineEntry; asked: readonly TimelineEntry[] }>;

/** What happened, oldest first. Postings and webhooks have tables of their own; questions in a row are one step. */
export function TimelineCard({
  transfer,
  timeline,
}: Readonly<{ transfer: Transfer; timeline: Timeline }>) {
  const operator = formatOperator(transfer.operator);
  const { next } = timeline.why;
  return (
    <Card title={texts.happened}>
      <ol className="timeline">
        {stepsOf(timeline.entries).map(({ entry, asked }, index) => (
          <li key={index}>
            <Time at={entry.at} />
            <Dot entry={entry} />
            <div>
              {asked.length > 1 ? (
                <>
                  <h3>{texts.asked(operator, asked.length)}</h3>
                  <p>
                    {sayAnswers(asked)}. <a href="#attempts">{texts.everyAnswer}</a>
                  </p>
                </>
              ) : (
                <EntryText entry={entry} />
              )}
            </div>
          </li>
        ))}
        {next !== null && (
          <li className="next">
            <Time at={next} />
            <span className="dot dot-next">
              <Icon name="scheduled" />
            </span>
            <div>
              <h3>{sayNext(transfer.state, operator)}</h3>
            </div>
          </li>
        )}
      </ol>
    </Card>
  );
}

function sayNext(state: TransferState, operator: string): string {
  switch (state) {
    case 'in_doubt':
    case 'submitted':
      return texts.nextInquiry(operator);
    case 'awaiting_approval':
      return texts.nextEnd;
    case 'scheduled':
      return texts.nextSend;
    default:
      return texts.nextStep;
  }
}

function EntryText({ entry }: Readonly<{ entry: TimelineEntry }>) {
  const { kind, title, detail, actor, facts } = entry;
  // Its maker does not approve it, as "Waits for approval by" would say.
  const waits = kind === 'state' && facts.state === 'awaiting_approval';
  const isPersonal = actor !== null && actor.kind !== 'system' && !waits;
  const claims = kind === 'callback' && facts.claims ? texts.says(facts.claims) : undefined;
  const parts = [
    claims,
    detail === null ? undefined : asSentence(detail),
    kind === 'callback'
      ? facts.verified === true
        ? texts.verified
        : texts.notVerified
      : undefined,
  ].filter((part) => part !== undefined);
  return (
    <>
      <h3>
        {withOperatorNames(title)}
        {isPersonal && ` ${actor.kind === 'key' ? texts.byKey(actor.name) : texts.by(actor.name)}`}
      </h3>
      {parts.length > 0 && <p className="break">{parts.join(' ')}</p>}
    </>
  );
}

/** Causes are parts of sentences. */
function asSentence(detail: string): string {
  return `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
}

const STATE_DOTS: Readonly<Partial<Record<TransferState, string>>> = {
  in_doubt: 'dot dot-doubt',
  succeeded: 'dot dot-good',
  failed: 'dot dot-bad',
  reversed: 'dot dot-caution',
};

function iconOf({ kind, facts, actor }: TimelineEntry): IconName {
  if (kind === 'created') return actor?.kind === 'key' ? 'key' : 'people';
  if (kind !== 'attempt' || facts.operation === 'inquire') return KIND_ICONS[kind];
  return facts.operation === 'callback' ? 'mail' : 'submitting';
}

function Dot({ entry }: Readonly<{ entry: TimelineEntry }>) {
  const { kind, facts } = entry;
  const state = kind === 'state' ? (facts.state ?? undefined) : undefined;
  const icon = state ?? iconOf(entry);
  const className =
    state === undefined
      ? kind === 'incident'
        ? 'dot dot-caution'
        : 'dot'
      : (STATE_DOTS[state] ?? 'dot');
  return (
    <span className={className}>
      <Icon name={icon} />
    </span>
  );
}

const KIND_ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  created: 'key',
  state: 'activity',
  attempt: 'search',
  callback: 'mail',
  posting: 'wallet',
  webhook: 'hook',
  person: 'people',
  incident: 'alert',
};

function stepsOf(entries: readonly TimelineEntry[]): readonly Step[] {
  const steps: { entry: TimelineEntry; asked: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === 'posting' || entry.kind === 'webhook') continue;
    const isQuestion = entry.kind === 'attempt' && entry.facts.operation === 'inquire';
    const before = steps.at(-1);
    if (isQuestion && before !== undefined && before.asked.length > 0) before.asked.push(entry);
    else steps.push({ entry, asked: isQuestion ? [entry] : [] });
  }
  return steps;
}

function sayAnswers(asked: readonly TimelineEntry[]): string {
  const answers = Map.groupBy(asked, ({ facts: { httpStatus } }) =>
    httpStatus === null || httpStatus === undefined ? texts.noAnswer : texts.http(httpStatus),
  );
  return [...answers].map(([answer, some]) => texts.times(some.length, answer)).join(', ');
}
