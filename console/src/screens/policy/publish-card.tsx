import { useState } from 'react';
import type { CanApprove } from '../../api/control-types.ts';
import type { PolicyAnswer, PolicyDraft } from '../../api/policy-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useSession } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ContentHash } from '../../parts/content-hash.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Says } from '../../parts/says.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { Avatar } from '../../parts/words.tsx';
import { policy } from '../../texts/en/policy.ts';
import { shell } from '../../texts/en/shell.ts';
import { whyNotPublished } from './draft-checks.ts';
import { usePolicyAct } from './use-policy.ts';

const texts = policy.publish;

type Given = Readonly<{
  answer: PolicyAnswer;
  draft: PolicyDraft;
  people: readonly CanApprove[];
}>;

/** The first owner publishes; in a live book a second one confirms. */
export function PublishCard({ answer, draft, people }: Given) {
  const { mode } = useBook();
  const { person } = useSession();
  // As it was when the box opened: what is confirmed does not change under the hand.
  const [asked, setAsked] = useState<Asked>();
  const inactive = useInactive()('policy:write');
  const others = people
    .filter(({ id, roles }) => id !== person.id && roles.includes('owner'))
    .map(({ name }) => name);
  const next = (answer.version ?? 0) + 1;
  const { publishedBy } = draft;
  const isOwn = publishedBy?.id === person.id;
  const word = shell.modes[mode].word;
  const label = publishedBy === null ? texts.act(next, word) : texts.confirm(next, word);
  const why =
    inactive ??
    (publishedBy === null ? whyNotPublished(answer, draft, { mode, now: Date.now() }) : undefined);
  return (
    <Card title={mode === 'live' ? texts.title : texts.titleTest} isPadded>
      {mode === 'live' && <Owners draft={draft} others={others} />}
      {isOwn ? (
        <p className="help mt">{texts.waits(others)}</p>
      ) : asked !== undefined && why === undefined ? (
        <PublishBox
          asked={asked}
          inactive={isSame(asked.draft, draft) ? undefined : texts.changed}
          onClose={() => setAsked(undefined)}
        />
      ) : (
        <>
          <div className="mt">
            <Button
              kind="main"
              isBlock
              inactive={why}
              onClick={() =>
                setAsked({ label, draft, next, isLast: mode === 'test' || publishedBy !== null })
              }
            >
              {label}
              {texts.open}
            </Button>
          </div>
          <p className="help mt">{why ?? (mode === 'live' ? texts.help : texts.helpTest)}</p>
        </>
      )}
    </Card>
  );
}

/** Whether the same act on the same content is meant. */
function isSame(one: PolicyDraft, other: PolicyDraft): boolean {
  return one.contentHash === other.contentHash && one.publishedBy?.id === other.publishedBy?.id;
}

type Asked = Readonly<{
  label: string;
  draft: PolicyDraft;
  next: number;
  /** It takes effect with this act. */
  isLast: boolean;
}>;

type BoxGiven = Readonly<{ asked: Asked; inactive: string | undefined; onClose: () => void }>;

function PublishBox({ asked, inactive, onClose }: BoxGiven) {
  const { label, draft, next, isLast } = asked;
  const { publish, confirm } = usePolicyAct();
  return (
    <div className="mt">
      <StepUp
        title={shell.stepUp.title}
        actLabel={label}
        inactive={inactive}
        aside={<Button onClick={onClose}>{shell.cancel}</Button>}
        onAct={async () => {
          await (draft.publishedBy === null ? publish(draft) : confirm(draft));
          toast(isLast ? texts.done(next) : texts.doneAsk);
          onClose();
        }}
      >
        <Says lead={isLast ? texts.lead : texts.leadAsk}>
          <p className="strong">{texts.says(next, draft.document.rules.length)}</p>
        </Says>
        <ContentHash hash={draft.contentHash} />
        {inactive !== undefined && <p className="help">{inactive}</p>}
      </StepUp>
    </div>
  );
}

function Owners({
  draft: { publishedBy },
  others,
}: Readonly<{ draft: PolicyDraft; others: readonly string[] }>) {
  const { person } = useSession();
  const first = publishedBy ?? person;
  const isYou = first.id === person.id;
  return (
    <ul className="votes">
      <li>
        <Avatar name={first.name} isYou={isYou} />
        <span className="two">
          {isYou ? texts.you(first.name) : first.name}
          <small>{publishedBy === null ? texts.youHelp : texts.published}</small>
        </span>
        {publishedBy !== null && (
          <span className="push good">
            <Icon name="succeeded" />
          </span>
        )}
      </li>
      <li>
        {publishedBy === null || isYou ? (
          <span className="ring" aria-hidden="true" />
        ) : (
          <Avatar name={person.name} isYou />
        )}
        <span className="two">
          {publishedBy === null || isYou ? texts.another : texts.you(person.name)}
          <small>{publishedBy === null || isYou ? texts.anotherHelp(others) : texts.youHelp}</small>
        </span>
      </li>
    </ul>
  );
}
