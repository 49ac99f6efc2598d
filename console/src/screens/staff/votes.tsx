import type { OpenProposal } from '../../api/staff-types.ts';
import { useSession } from '../../app/session.ts';
import { Time } from '../../parts/time.tsx';
import { Avatar } from '../../parts/words.tsx';
import { decisions } from '../../texts/en/decisions.ts';
import { doubt } from '../../texts/en/doubt.ts';

const texts = doubt.decide;

/** The first person's finding, and the reader. */
export function Votes({ proposal }: Readonly<{ proposal: OpenProposal | null }>) {
  const { person } = useSession();
  const isOwn = proposal?.by.id === person.id;
  return (
    <ol className="votes">
      {proposal !== null && (
        <li className="vote-top">
          <Avatar name={proposal.by.name} isYou={isOwn} />
          <div>
            <b>{isOwn ? texts.you : proposal.by.name}</b> {texts.proposedAt}{' '}
            <Time at={proposal.at} />: <b>{decisions[proposal.decision]}</b>
            {proposal.receipt !== null && (
              <>
                , {texts.receipt} <span className="id">{proposal.receipt}</span>
              </>
            )}
            <p className="quote">“{proposal.evidence}”</p>
          </div>
        </li>
      )}
      {!isOwn && (
        <li className="vote-top">
          <Avatar name={person.name} isYou />
          <div>
            <b>{texts.you}</b>, {person.name}
            <p className="faint small">{texts.notDecided}</p>
          </div>
        </li>
      )}
    </ol>
  );
}
