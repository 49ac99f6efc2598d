import type { Preflight } from '../../api/transfer-types.ts';
import { CheckField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { pay } from '../../texts/en/pay.ts';

const texts = pay.warned;

/** What rules of the policy warn of. Other warnings belong to a field. */
export function warningsOf({ warnings }: Preflight): Preflight['warnings'] {
  return warnings.filter(({ rule }) => rule !== undefined);
}

type Given = Readonly<{
  preflight: Preflight;
  isAnswered: boolean;
  onAnswer: (isAnswered: boolean) => void;
}>;

/** A rule that warns asks the maker to look twice: they say that they did. */
export function WarnedNote({ preflight, isAnswered, onAnswer }: Given) {
  const warnings = warningsOf(preflight);
  if (warnings.length === 0) return null;
  return (
    <Note tone="caution">
      <p>
        <b>{texts.title}</b>
      </p>
      {warnings.map(({ code, rule = '', message }) => (
        <p key={`${code} ${rule}`}>
          {texts.rule(rule)} {message}
        </p>
      ))}
      <CheckField label={texts.answer} isChecked={isAnswered} onChange={onAnswer} />
    </Note>
  );
}
