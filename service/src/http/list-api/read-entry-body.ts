import { isCountry } from '../../domain/operator.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { type BodyFields, readOptionalTime } from '../merchant-api/read-webhook-body.ts';
import { ENTRY_REASON_LENGTH_MAX } from '../schemas/list-schema.ts';

/** Reads the fields that entries of lists have. Broken values read as undefined. */
export function readReason({ read, body }: BodyFields): string | undefined {
  const value = body.get('reason');
  if (value === undefined) {
    read.problem('reason', 'REQUIRED');
    return undefined;
  }
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : '';
  const verdict = checkPlainText(text, { codePointsMax: ENTRY_REASON_LENGTH_MAX });
  if (text !== '' && verdict === 'ok') return text;
  read.problem(
    'reason',
    'INVALID_TEXT',
    `1 to ${ENTRY_REASON_LENGTH_MAX} characters of plain text.`,
  );
  return undefined;
}

/** A national spelling may mean numbers of two countries: then the country must be given. */
export function readNumber({ read, body }: BodyFields): string | undefined {
  const given = body.get('country') ?? null;
  if (given === null) {
    const text = body.get('phone');
    const isNational = typeof text === 'string' && /^\s*0(?!0)/.test(text);
    if (isNational) {
      read.problem(
        'phone',
        'INVALID_PHONE',
        'Give the country too, or write it like +260977433571.',
      );
      return undefined;
    }
    return read.phone('phone', undefined);
  }
  if (typeof given === 'string' && isCountry(given)) return read.phone('phone', given);
  read.problem('country', 'INVALID_COUNTRY');
  return undefined;
}

/** Null: never. */
export function readExpiry(fields: BodyFields, now: Date): Date | null | undefined {
  const expiresAt = readOptionalTime(fields, 'expiresAt');
  if (!(expiresAt instanceof Date) || expiresAt > now) return expiresAt;
  fields.read.problem('expiresAt', 'INVALID_TIME', 'A time to come.');
  return undefined;
}
