import type { Preflight } from '../../api/transfer-types.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Tag } from '../../parts/words.tsx';
import { pay as texts } from '../../texts/en/pay.ts';

const TONES = { match: 'good', close: 'caution', mismatch: 'bad' } as const;

type Given = Readonly<{
  preflight: Preflight | undefined;
  typed: string;
  onUse: (name: string) => void;
}>;

/** The name that the operator reports for the number, beside the name that was typed. */
export function FoundName({ preflight, typed, onUse }: Given) {
  if (preflight === undefined || preflight.operator.given === null) return null;
  const warning = preflight.warnings.find(({ field }) => field === 'phone');
  const { recipient } = preflight;
  if (recipient === null) {
    const isAsked = preflight.problems.every(({ field }) => field !== 'phone');
    return warning !== undefined ? (
      <span className="inline">
        <Tag tone="caution">{warning.message}</Tag>
      </span>
    ) : isAsked ? (
      texts.nameUnknown
    ) : null;
  }
  const { accountName, nameMatch } = recipient;
  return (
    <span className="inline inline-wrap">
      {nameMatch !== null && typed.trim() !== '' && (
        <Tag tone={TONES[nameMatch]}>{texts.match[nameMatch]}</Tag>
      )}
      <span>
        {texts.nameKnown(formatOperator(preflight.operator.given))} <b>{accountName}</b>.
      </span>
      {typed.trim() === '' && (
        <button type="button" className="as-link" onClick={() => onUse(accountName)}>
          {texts.takeName}
        </button>
      )}
    </span>
  );
}
