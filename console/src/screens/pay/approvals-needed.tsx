import type { Requirement } from '../../api/control-types.ts';
import type { PolicyDocument } from '../../api/policy-types.ts';
import type { Preflight } from '../../api/transfer-types.ts';
import { listWanted, useBookPeople } from '../../app/book-people.ts';
import { useSession } from '../../app/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { pay } from '../../texts/en/pay.ts';
import { usePolicy } from '../policy/use-policy.ts';

const texts = pay.will;

/** How many approvals, which rules ask for them, and who can give them: not the reader, who makes the payout. */
export function ApprovalsNeeded({
  approvals: { needed, rules },
}: Readonly<{ approvals: Preflight['approvals'] }>) {
  const { person } = useSession();
  const people = (useBookPeople() ?? []).filter(({ id }) => id !== person.id);
  const asked = requirementsOf(usePolicy().data?.document ?? null, rules);
  const able = listWanted(asked, [], people).map(({ name }) => name);
  return (
    <li>
      <Icon name="awaiting_approval" />
      <span>
        <b>{texts.approvals(needed)}</b> {texts.byRules(rules)}
        {able.length > 0 && ` ${texts.canGive(able)}`}
      </span>
    </li>
  );
}

/** What the rules of these names ask for. */
function requirementsOf(
  document: PolicyDocument | null,
  names: readonly string[],
): readonly Requirement[] {
  return (document?.rules ?? []).flatMap(({ name, require: { approvals, of } }) =>
    approvals === undefined || of === undefined || !names.includes(name)
      ? []
      : [{ rule: name, count: approvals, of }],
  );
}
