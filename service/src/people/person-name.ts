import { checkPlainText } from '../domain/plain-text.ts';

export const PERSON_NAME_LENGTH_MAX = 80;

/** A person's name, trimmed, one spelling for one look; undefined if it is none. */
export function parsePersonName(text: string): string | undefined {
  const name = text.normalize('NFC').trim();
  const verdict = checkPlainText(name, { codePointsMax: PERSON_NAME_LENGTH_MAX });
  return name !== '' && verdict === 'ok' ? name : undefined;
}
