import type { Requirement } from '../../api/control-types.ts';
import { approvals } from '../../texts/en/approvals.ts';

const texts = approvals.why;

type Given = Readonly<{
  requirements: readonly Requirement[];
  policyVersion: number | null | undefined;
}>;

/** The rules that ask for approvals, and what each asks for. */
export function WhyAsked({ requirements, policyVersion }: Given) {
  if (requirements.length === 0) return <p className="soft small mt-1">{texts.noRule}</p>;
  return (
    <>
      {requirements.map(({ rule, count, of }) => (
        <p key={`${rule} ${of.join()}`} className="soft small mt-1">
          {texts.lead} <b>{texts.rule(rule)}</b>{' '}
          {policyVersion !== null && policyVersion !== undefined && texts.ofVersion(policyVersion)}{' '}
          {texts.asks} <b>{texts.count(count)}</b> {texts.of(of)}.
        </p>
      ))}
    </>
  );
}
