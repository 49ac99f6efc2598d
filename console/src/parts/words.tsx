import type { Mode, TransferState } from '../api/types.ts';
import { initialsOf, shortenId } from '../format/format-id.ts';
import { formatCountry, formatOperator } from '../format/format-operator.ts';
import { formatPhone } from '../format/format-phone.ts';
import { shell } from '../texts/en/shell.ts';
import { states } from '../texts/en/states.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

export function Phone({ phone }: Readonly<{ phone: string }>) {
  return <span className="phone">{formatPhone(phone)}</span>;
}

/** `MTN`, or `MTN Zambia` where operators of several countries are in sight. */
export function Operator({ operator, country }: Readonly<{ operator: string; country?: string }>) {
  const name = formatOperator(operator);
  return country === undefined ? name : `${name} ${formatCountry(country)}`;
}

export function StatePill({ state }: Readonly<{ state: TransferState }>) {
  return (
    <span className={`state state-${state}`}>
      <Icon name={state} />
      {states[state].word}
    </span>
  );
}

export function ModeWord({ mode }: Readonly<{ mode: Mode }>) {
  return <span className={`mode mode-${mode}`}>{shell.modes[mode].word}</span>;
}

/** In lists shortened to the first and last 8; on a page whole, with a button that copies it. */
export function Id({
  id,
  whole = false,
  what,
}: Readonly<{ id: string; whole?: boolean; what?: string }>) {
  if (!whole) return <span className="id">{shortenId(id)}</span>;
  return (
    <span className="id id-wrap">
      {id}
      <CopyButton text={id} what={what ?? id} />
    </span>
  );
}

export type TagTone = 'good' | 'caution' | 'bad' | 'accent' | 'doubt';

export function Tag({ tone, children }: Readonly<{ tone?: TagTone; children: React.ReactNode }>) {
  return <span className={tone === undefined ? 'tag' : `tag tag-${tone}`}>{children}</span>;
}

export function Avatar({ name, isYou = false }: Readonly<{ name: string; isYou?: boolean }>) {
  return (
    <span className={isYou ? 'avatar-s avatar-you' : 'avatar-s'} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
