import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';

const STATEMENT_LENGTH_MAX = 500;

/** What a person puts on record: the evidence for a decision, or a note. */
export function readStatement(text: string): string {
  const statement = text.normalize('NFC').trim();
  const verdict = checkPlainText(statement, { codePointsMax: STATEMENT_LENGTH_MAX });
  if (statement !== '' && verdict === 'ok') return statement;
  throw new AdminRefused('STATEMENT_INVALID', { max: STATEMENT_LENGTH_MAX });
}
