import type { ReactNode } from 'react';
import type { CanApprove } from '../../api/control-types.ts';
import type { PolicyDraft, PolicyRule } from '../../api/policy-types.ts';
import { useBook } from '../../app/session.ts';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { policy } from '../../texts/en/policy.ts';
import { isReplayed } from './draft-checks.ts';

const texts = policy.checks;

type Given = Readonly<{ draft: PolicyDraft; people: readonly CanApprove[] }>;

/** What holds and what is missing, before the draft can be published. */
export function ChecksCard({ draft, people }: Given) {
  const { mode } = useBook();
  const asking = draft.document.rules.filter(({ require }) => require.approvals !== undefined);
  // The service looks at all rules together: one person fills one place.
  const isImpossible = draft.problems.some(({ field }) => field.endsWith('.require'));
  return (
    <Card title={texts.title} isPadded>
      <ul className="list-plain checks">
        {draft.problems.length === 0 ? (
          <Check isGood>{texts.valid}</Check>
        ) : (
          <Check>
            <b>{texts.invalid(draft.problems.length)}</b>
            <ul className="bullets">
              {draft.problems.map(({ field, message }) => (
                <li key={field}>
                  <code>{field}</code>: {message}
                </li>
              ))}
            </ul>
          </Check>
        )}
        <ReplayCheck draft={draft} isNeeded={mode === 'live'} />
        {asking.length === 0 && <Check isGood>{texts.noApprovals}</Check>}
        {asking.length > 0 && people.length > 0 && !isImpossible && (
          <Check isGood>
            {texts.can(asking.map((rule) => texts.canRule(countPeople(rule, people), rule.name)))}
          </Check>
        )}
        <LessGuarded draft={draft} />
      </ul>
    </Card>
  );
}

function countPeople(
  { require: { of = [] } }: PolicyRule,
  people: readonly Readonly<{ roles: readonly string[] }>[],
): number {
  return people.filter(({ roles }) => of.some((role) => roles.includes(role))).length;
}

function ReplayCheck({ draft, isNeeded }: Readonly<{ draft: PolicyDraft; isNeeded: boolean }>) {
  if (isReplayed(draft, Date.now())) {
    return (
      <Check isGood>
        {texts.replayed} <Time at={draft.replay?.at ?? ''} />.
      </Check>
    );
  }
  return isNeeded ? (
    <Check>{texts.notReplayed}</Check>
  ) : (
    <Check isGood>{texts.notReplayedTest}</Check>
  );
}

/** What the version in force stops and the draft lets through. */
function LessGuarded({ draft: { replay } }: Readonly<{ draft: PolicyDraft }>) {
  const inForce = replay?.inForce ?? null;
  if (replay === null || inForce === null) return null;
  const lines = [
    [inForce.screened - replay.screened, texts.lessScreened],
    [inForce.refused - replay.refused, texts.lessRefused],
    [inForce.approvals - replay.approvals, texts.lessApprovals],
  ] as const;
  return lines
    .filter(([less]) => less > 0)
    .map(([less, say]) => (
      <Check key={say(less)}>
        <b>{say(less)}</b>
      </Check>
    ));
}

function Check({ isGood = false, children }: Readonly<{ isGood?: boolean; children: ReactNode }>) {
  return (
    <li className={isGood ? 'good' : 'warn'}>
      <Icon name={isGood ? 'succeeded' : 'alert'} />
      <span>{children}</span>
    </li>
  );
}
