import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';

const NAME_LENGTH_MAX = 100;

/** A name that people give to a merchant, key or wallet: trimmed, one spelling for one look. */
export function readName(text: string, whose: 'merchant' | 'key' | 'wallet'): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && checkPlainText(name, { codePointsMax: NAME_LENGTH_MAX }) === 'ok') return name;
  throw new AdminRefused('NAME_INVALID', { whose, max: NAME_LENGTH_MAX });
}
