import type { Preflight } from '../../api/transfer-types.ts';
import { shortenId } from '../../format/format-id.ts';
import { CheckField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { pay } from '../../texts/en/pay.ts';
import { sayConditions } from '../policy/rule-sentence.ts';
import { usePolicy } from '../policy/use-policy.ts';

const texts = pay.warned;

/** What rules of the policy warn of. Other warnings belong to a field. */
export function warningsOf({ warnings }: Preflight): Preflight['warnings'] {
  return warnings.filter(({ rule }) => rule !== undefined);
}

type Given = Readonly<{
  preflight: Preflight;
  currency: string;
  isAnswered: boolean;
  onAnswer: (isAnswered: boolean) => void;
}>;

/** A rule that warns asks the maker to look twice: they say that they did. */
export function WarnedNote({ preflight, currency, isAnswered, onAnswer }: Given) {
  const warnings = warningsOf(preflight);
  const rules = usePolicy().data?.document?.rules ?? [];
  const names = { currency, nameOf: shortenId };
  if (warnings.length === 0) return null;
  return (
    <Note tone="caution">
      <p>
        <b>{texts.title}</b>
      </p>
      {warnings.map(({ code, rule = '', message }) => {
        const known = rules.find(({ name }) => name === rule);
        return (
          <p key={`${code} ${rule}`}>
            {known === undefined ? message : `${texts.rule(rule)} ${sayConditions(known, names)}.`}
          </p>
        );
      })}
      <CheckField label={texts.answer} isChecked={isAnswered} onChange={onAnswer} />
    </Note>
  );
}
