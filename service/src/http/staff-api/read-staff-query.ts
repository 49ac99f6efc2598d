import { checkPlainText } from '../../domain/plain-text.ts';
import type { Mode } from '../../domain/transfer.ts';

export function isMode(text: string): text is Mode {
  return text === 'test' || text === 'live';
}

/** Names of routes, people and subjects are short. */
const SHORT_TEXT_LENGTH_MAX = 320;

export function isShortText(text: string): text is string {
  return text !== '' && checkPlainText(text, { codePointsMax: SHORT_TEXT_LENGTH_MAX }) === 'ok';
}
