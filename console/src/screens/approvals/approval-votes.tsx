import type { CanApprove, Decided, Requirement } from '../../api/control-types.ts';
import { useSession } from '../../app/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { Avatar } from '../../parts/words.tsx';
import { approvals } from '../../texts/en/approvals.ts';

const texts = approvals.votes;

/** Names of people who could decide; more would not be read. */
const NAMES_SHOWN_MAX = 4;

type Given = Readonly<{
  requirements: readonly Requirement[];
  decisions: readonly Decided[];
  /** Who still can; undefined: it no longer waits, or it is not known. */
  canApprove: readonly CanApprove[] | undefined;
}>;

/** Who has decided, and who still can. */
export function ApprovalVotes({ requirements, decisions, canApprove }: Given) {
  const { person } = useSession();
  const nameOf = ({ id, name }: Readonly<{ id: string; name: string }>) =>
    id === person.id ? texts.you : name;
  const needed = requirements.reduce((sum, { count }) => sum + count, 0) || 1;
  const left = needed - decisions.filter(({ decision }) => decision === 'approve').length;
  return (
    <ul className="votes mt-1" aria-label={texts.label}>
      {decisions.map(({ person: by, decision, at, reason }) => (
        <li key={by.id}>
          <Avatar name={by.name} isYou={by.id === person.id} />
          <span className="two">
            {nameOf(by)}
            {reason !== undefined && reason !== null && <small>“{reason}”</small>}
          </span>
          <span className={`push small nowrap ${decision === 'approve' ? 'good' : 'bad-ink'}`}>
            <Icon name={decision === 'approve' ? 'succeeded' : 'failed'} /> {texts[decision]}{' '}
            <Time at={at} />
          </span>
        </li>
      ))}
      {canApprove !== undefined && left > 0 && (
        <li>
          <span className="ring" aria-hidden="true" />
          <span className="two">
            {texts.more(left)}
            <small>{sayNames(canApprove.map(nameOf))}</small>
          </span>
          <span className="push small faint nowrap">{texts.open}</span>
        </li>
      )}
    </ul>
  );
}

function sayNames(names: readonly string[]): string {
  if (names.length === 0) return texts.noneCan;
  const sorted = [...names].sort((a, b) => Number(b === texts.you) - Number(a === texts.you));
  return sorted.length <= NAMES_SHOWN_MAX
    ? texts.can(sorted)
    : texts.namesMax(sorted.slice(0, NAMES_SHOWN_MAX), sorted.length - NAMES_SHOWN_MAX);
}
