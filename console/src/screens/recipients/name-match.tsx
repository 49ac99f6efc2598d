import type { Recipient } from '../../api/money-types.ts';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { recipients as texts } from '../../texts/en/recipients.ts';

const TONES: Readonly<Record<NonNullable<Recipient['nameMatch']>, TagTone>> = {
  match: 'good',
  close: 'caution',
  mismatch: 'bad',
};

export function NameMatch({ match }: Readonly<{ match: Recipient['nameMatch'] }>) {
  if (match === null) return <span className="faint">–</span>;
  return (
    <span title={texts.matches[match].help}>
      <Tag tone={TONES[match]}>{texts.matches[match].word}</Tag>
    </span>
  );
}

export function AccountName({ recipient }: Readonly<{ recipient: Recipient }>) {
  return recipient.accountName === null ? (
    <span className="faint" title={texts.pendingHelp}>
      {texts.pending}
    </span>
  ) : (
    recipient.accountName
  );
}
