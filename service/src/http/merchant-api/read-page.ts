import { type FieldCode, type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import { isMetadataKey, isMetadataValue } from '../../domain/metadata.ts';
import { parseAmount } from '../../domain/money.ts';
import { COUNTRIES, type Country } from '../../domain/operator.ts';
import { parseTime } from '../../domain/parse-time.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import { parseReference } from '../../domain/reference.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';

const PAGE_LIMIT_MAX = 100;
const PAGE_LIMIT_DEFAULT = 50;
/** Longer than any cursor that we issue: the list's name, a wallet's id and a position. */
const CURSOR_LENGTH_MAX = 200;
const CURSOR_VERSION = 'v1';
/** Keeps the answer to a query of a thousand unknown parameters short. */
const PROBLEMS_MAX = 50;
/** A name longer than this is not repeated in the answer. */
const PARAMETER_NAME_LENGTH_MAX = 60;

/**
 * Reads the parameters of a list and collects every broken one, as the field reader does for bodies. An absent
 * parameter reads as null, a broken one as undefined; `checked` throws if any is broken.
 */
export type QueryReader = Readonly<{
  limit(): number | undefined;
  /**
   * The position in a cursor of this list. `list` is its name, such as 'transfers'. A cursor of another list is
   * refused, and so is one whose position `parse` does not understand.
   */
  cursor<T>(list: string, parse: (position: string) => T | undefined): T | null | undefined;
  /** An ISO 8601 date and time with a zone, or a date alone, which means midnight UTC. */
  time(field: string): Date | null | undefined;
  uuid(field: string, code: FieldCode): string | null | undefined;
  word<T extends string>(
    field: string,
    test: (text: string) => text is T,
    code: FieldCode,
    message?: string,
  ): T | null | undefined;
  /** One reference, or up to 100 with commas between. */
  references(field: string): readonly string[] | null | undefined;
  /** Of the country when there is one, else of the first country that the number is valid in. */
  phone(field: string, country: Country | null | undefined): string | null | undefined;
  /** An amount as in a body, as decimal text. */
  amount(field: string): bigint | null | undefined;
  /** One key with its value, as `field[KEY]=value`. */
  metadata(field: string): MetadataEntry | null | undefined;
  /** Returns the values, none undefined, or throws a VALIDATION_ERROR with all problems. */
  checked<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> };
}>;

type MetadataEntry = Readonly<{ key: string; value: string }>;

/** The name of a parameter that has a key in brackets: `metadata` of `metadata[order]`. */
function nameOf(parameter: string): string {
  return /^(\w+)\[.*\]$/s.exec(parameter)?.[1] ?? parameter;
}

export function createQueryReader(query: URLSearchParams, known: readonly string[]): QueryReader {
  const problems: FieldProblem[] = [];
  const problem = (field: string, code: FieldCode, message?: string): undefined => {
    if (problems.length < PROBLEMS_MAX) problems.push(fieldProblem(field, code, message));
    return undefined;
  };
  for (const name of new Set(query.keys())) {
    if (known.includes(name) || (nameOf(name) === METADATA && known.includes(METADATA))) continue;
    problem(name.slice(0, PARAMETER_NAME_LENGTH_MAX), 'UNKNOWN_FIELD', UNKNOWN_PARAMETER);
  }

  function read<T>(
    field: string,
    code: FieldCode,
    parse: (text: string) => T | undefined,
    message?: string,
  ): T | null | undefined {
    const [text, ...more] = query.getAll(field);
    if (text === undefined) return null;
    // Two values could mean either or both; guessing could show the wrong list.
    if (more.length > 0) return problem(field, code, 'Give this parameter only once.');
    return parse(text) ?? problem(field, code, message);
  }

  return {
    limit() {
      const limit = read('limit', 'INVALID_LIMIT', parseLimit);
      return limit === null ? PAGE_LIMIT_DEFAULT : limit;
    },
    cursor: (list, parse) =>
      read('cursor', 'INVALID_CURSOR', (text) => {
        const position = decodeCursor(list, text);
        return position === undefined ? undefined : parse(position);
      }),
    time: (field) => read(field, 'INVALID_TIME', parseTime),
    uuid: (field, code) => read(field, code, parseUuid),
    word: (field, test, code, message) =>
      read(field, code, (text) => (test(text) ? text : undefined), message),
    references: (field) => read(field, 'INVALID_REFERENCE', parseReferences, REFERENCES_MESSAGE),
    phone: (field, country) =>
      read(field, 'INVALID_PHONE', (text) => parsePhoneOf(country ?? null, text)),
    amount: (field) => read(field, 'INVALID_AMOUNT', parseAmount, AMOUNT_MESSAGE),
    metadata(field) {
      const [given, ...more] = [...query].filter(([name]) => nameOf(name) === field);
      if (given === undefined) return null;
      const [name, value] = given;
      const key = name.slice(field.length + 1, -1);
      const isRight = more.length === 0 && isMetadataKey(key) && isMetadataValue(value);
      return isRight ? { key, value } : problem(field, 'INVALID_METADATA', METADATA_MESSAGE);
    },
    checked(values) {
      if (problems.length > 0) throw refuse('VALIDATION_ERROR', { fields: problems });
      if (Object.values(values).includes(undefined))
        throw new Error('a broken field was not recorded');
      return values as { [K in keyof typeof values]: Exclude<(typeof values)[K], undefined> };
    },
  };
}

const METADATA = 'metadata';
const METADATA_MESSAGE =
  'One key in brackets with its value, such as metadata[invoice]=2026-117. Give only one.';

const AMOUNT_MESSAGE = 'A number from 0.01 to 1000000000.00 with at most 2 decimals.';

const REFERENCES_MESSAGE =
  'Up to 100 references with commas between, each of 1 to 100 characters: letters, digits, dot, underscore, hyphen.';

/** A page shows 100 transfers at most, so more references would never fit one. */
function parseReferences(text: string): readonly string[] | undefined {
  const references = text.split(',', PAGE_LIMIT_MAX + 1).map(parseReference);
  if (references.length > PAGE_LIMIT_MAX) return undefined;
  const parsed = references.filter((reference) => reference !== undefined);
  return parsed.length === references.length ? parsed : undefined;
}

const UNKNOWN_PARAMETER = 'There is no such parameter. Check its spelling.';

/** The cursor that continues after `position` in the list of this name. */
export function encodeCursor(list: string, position: string): string {
  return Buffer.from(`${CURSOR_VERSION}:${list}:${position}`).toString('base64url');
}

function decodeCursor(list: string, cursor: string): string | undefined {
  if (cursor.length > CURSOR_LENGTH_MAX) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const prefix = `${CURSOR_VERSION}:${list}:`;
  if (!text.startsWith(prefix)) return undefined;
  const position = text.slice(prefix.length);
  // Node ignores characters that are not base64url, so encoding it again is the only proof that the cursor is ours.
  return encodeCursor(list, position) === cursor ? position : undefined;
}

function parseLimit(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,2}$/.test(text)) return undefined;
  const limit = Number(text);
  return limit <= PAGE_LIMIT_MAX ? limit : undefined;
}

function parsePhoneOf(country: Country | null, text: string): string | undefined {
  const countries = country === null ? COUNTRIES : [country];
  for (const candidate of countries) {
    const phone = parsePhone(text, candidate);
    if (phone !== undefined) return phone;
  }
  return undefined;
}
