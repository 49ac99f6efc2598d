import { checkPlainText } from '../../domain/plain-text.ts';
import type { Mode } from '../../domain/transfer.ts';
import { SHORT_TEXT_LENGTH_MAX } from '../schemas/staff-fields.ts';

export function isMode(text: string): text is Mode {
  return text === 'test' || text === 'live';
}

export function isShortText(text: string): text is string {
  return text !== '' && checkPlainText(text, { codePointsMax: SHORT_TEXT_LENGTH_MAX }) === 'ok';
}
