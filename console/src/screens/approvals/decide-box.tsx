import { useEffect, useState } from 'react';
import type { ApprovalItem, DecideAnswer } from '../../api/control-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useSession } from '../../app/session.ts';
import { formatSums } from '../../format/format-amount.ts';
import { Sums } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { shell } from '../../texts/en/shell.ts';
import { subjectOf, totalOf } from './approval-subject.ts';
import { type Decision, useDecide } from './use-decide.ts';

const STILL_MS = 1_000;
const REASON_LENGTH_MAX = 500;

export type Outcome = Readonly<{
  decision: Decision;
  items: readonly ApprovalItem[];
  answers: readonly DecideAnswer[];
}>;

type Given = Readonly<{
  /** What is decided: the selected ones, else the one that is open. */
  items: readonly ApprovalItem[];
  /** What is decided differs from what is open above: it is named. */
  isNamed: boolean;
  /** Given where the reader can only reject: leaves it. */
  onKeep?: () => void;
  onOutcome: (outcome: Outcome) => void;
}>;

/**
 * The second factor, with the decision that it confirms. Rejecting is asked for first, and its button is elsewhere.
 * Keyed by what it decides: nothing that was typed for one decision goes along to another.
 */
export function DecideBox({ items, isNamed, onKeep, onOutcome }: Given) {
  const decide = useDecide();
  const { mode } = useBook();
  const [isRejecting, setRejecting] = useState(onKeep !== undefined);
  const [reason, setReason] = useState('');
  const decision: Decision = isRejecting ? 'reject' : 'approve';
  const words = texts.decide;
  const { count, sums } = totalOf(items);
  const isRest = items.some((item) => subjectOf(item).wholeCount !== undefined);
  const inactive = useWhyInactive(items, decision);
  return (
    <div className={isRejecting ? 'deciding deciding-reject' : 'deciding'}>
      <StepUp
        title={isRejecting ? words.titleReject : words.title}
        actLabel={shell.inTest(words[decision](count, formatSums(sums)), mode)}
        isDanger={isRejecting}
        inactive={inactive}
        aside={
          isRejecting ? (
            <Button onClick={onKeep ?? (() => setRejecting(false))}>{words.keep}</Button>
          ) : (
            <Button kind="danger" inactive={inactive} onClick={() => setRejecting(true)}>
              {words.toReject}
            </Button>
          )
        }
        onAct={async () => {
          const answers = await decide(items, decision, isRejecting ? reason.trim() : '');
          const done = items.filter(({ id }) => answers.some((one) => one.id === id && one.ok));
          const total = totalOf(done);
          if (done.length === items.length) {
            toast(words.done[decision](total.count, formatSums(total.sums)));
          } else {
            toast(words.some(done.length, items.length), 'bad');
          }
          onOutcome({ decision, items, answers });
          setRejecting(onKeep !== undefined);
          setReason('');
        }}
      >
        <Says lead={isRejecting ? words.leadReject : words.lead}>
          <p className="big">
            <Sums sums={sums} /> <span className="thin">{words.inCount(count)}</span>
          </p>
          {isRest && <p>{words.onlyLeft}</p>}
        </Says>
        {isNamed && <Named items={items} />}
        {isRejecting && (
          <>
            <p className="soft">{words.rejectDetail}</p>
            <TextField
              label={words.reason}
              help={words.reasonHelp}
              isOptional
              maxLength={REASON_LENGTH_MAX}
              value={reason}
              onChange={setReason}
            />
          </>
        )}
      </StepUp>
    </div>
  );
}

function Named({ items }: Readonly<{ items: readonly ApprovalItem[] }>) {
  return (
    <ul className="answers" aria-label={texts.decide.theseToo}>
      {items.map((item) => {
        const { name, sums } = subjectOf(item);
        return (
          <li key={item.id}>
            <span className="two">
              {name}
              <small className="id">
                {item.contentHash.slice(0, 8)} … {item.contentHash.slice(-8)}
              </small>
            </span>
            <span>
              <Sums sums={sums} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function useWhyInactive(items: readonly ApprovalItem[], decision: Decision): string | undefined {
  const may = useInactive()('payouts:approve');
  const changed = useChangedJustNow(items);
  const refused = items.find((item) => !(decision === 'approve' ? item.iCan : item.iCanReject));
  if (may !== undefined) return may;
  if (refused !== undefined) {
    return items.length === 1 ? (refused.whyNot ?? texts.notYours) : texts.decide.mixed;
  }
  return changed;
}

/**
 * It has just come into view, or another person decided while it is in sight: it says so for a moment, and takes no
 * click. A click that was meant for what was there before lands on nothing.
 */
function useChangedJustNow(items: readonly ApprovalItem[]): string | undefined {
  const { person } = useSession();
  const votes = items.flatMap(({ decisions }) => decisions);
  const [seen, setSeen] = useState(votes.length);
  const [said, setSaid] = useState<string | undefined>(texts.decide.shownJustNow);
  if (seen !== votes.length) {
    const latest = votes.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
    const isNews = latest !== undefined && latest.person.id !== person.id;
    setSeen(votes.length);
    if (isNews) {
      setSaid(texts.decide.justNow(latest.person.name, texts.votes[latest.decision]));
    }
  }
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), STILL_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return said;
}
