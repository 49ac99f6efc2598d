import { type FieldCode, type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import {
  isMetadataKey,
  isMetadataValue,
  METADATA_KEYS_MAX,
  METADATA_VALUE_LENGTH_MAX,
  type Metadata,
  toMetadata,
} from '../../domain/metadata.ts';
import { parseAmount } from '../../domain/money.ts';
import {
  COUNTRIES,
  type Country,
  isCountry,
  isOperator,
  type Operator,
} from '../../domain/operator.ts';
import { parseTime } from '../../domain/parse-time.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { parseReference } from '../../domain/reference.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { JsonNumber, type JsonObject, type JsonValue } from './strict-json.ts';

/** Texts of the API are at most this long, counted in Unicode code points. */
const TEXT_CODE_POINTS_MAX = 100;
/** Keeps the answer to a body of a thousand unknown fields short. */
const PROBLEMS_MAX = 50;
/** A name longer than this is not repeated in the answer. */
const FIELD_NAME_LENGTH_MAX = 60;

/**
 * Reads the fields of a body into domain values and collects every broken one, so that a developer sees all mistakes at
 * once. A broken field reads as undefined; `checked` throws if any is broken.
 */
export type FieldReader = Readonly<{
  amount(field: string): bigint | undefined;
  reference(field: string): string | undefined;
  operator(field: string): Operator | undefined;
  country(field: string): Country | undefined;
  /** Must be a number of `country`; if the country is broken, a number of any country. */
  phone(field: string, country: Country | undefined): string | undefined;
  walletId(field: string): string | undefined;
  /** Null if absent or null. */
  optionalText(field: string): string | null | undefined;
  /** Null if absent or null. One problem for each key that is broken. */
  metadata(field: string): Metadata | null | undefined;
  /** Null if absent or null. Whether the time has passed is not looked at. */
  sendAt(field: string): Date | null | undefined;
  /** Records a problem found elsewhere, such as in a header. */
  problem(field: string, code: FieldCode, message?: string): void;
  /** What is broken so far. */
  problems(): readonly FieldProblem[];
  /** Returns the values, none undefined, or throws a VALIDATION_ERROR with all problems. */
  checked<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> };
}>;

export function createFieldReader(body: JsonObject, known: readonly string[]): FieldReader {
  const problems: FieldProblem[] = [];
  const problem = (field: string, code: FieldCode, message?: string): undefined => {
    if (problems.length < PROBLEMS_MAX) problems.push(fieldProblem(field, code, message));
    return undefined;
  };
  for (const name of body.keys()) {
    if (!known.includes(name)) problem(name.slice(0, FIELD_NAME_LENGTH_MAX), 'UNKNOWN_FIELD');
  }

  function read<T>(
    field: string,
    code: FieldCode,
    parse: (value: JsonValue) => T | undefined,
  ): T | undefined {
    const value = body.get(field);
    if (value === undefined) return problem(field, 'REQUIRED');
    return parse(value) ?? problem(field, code);
  }

  return {
    amount: (field) =>
      read(field, 'INVALID_AMOUNT', (value) =>
        value instanceof JsonNumber ? parseAmount(value.lexeme) : undefined,
      ),
    reference: (field) => read(field, 'INVALID_REFERENCE', asText(parseReference)),
    operator: (field) => read(field, 'INVALID_OPERATOR', asText(onlyIf(isOperator))),
    country: (field) => read(field, 'INVALID_COUNTRY', asText(onlyIf(isCountry))),
    phone(field, country) {
      const countries = country === undefined ? COUNTRIES : [country];
      const parse = (text: string) =>
        countries.map((one) => parsePhone(text, one)).find((phone) => phone !== undefined);
      return read(field, 'INVALID_PHONE', asText(parse));
    },
    walletId: (field) => read(field, 'INVALID_WALLET_ID', asText(parseUuid)),
    optionalText(field) {
      const value = body.get(field) ?? null;
      if (value === null) return null;
      if (typeof value !== 'string') return problem(field, 'INVALID_TEXT', 'Must be a string.');
      const verdict = checkPlainText(value, { codePointsMax: TEXT_CODE_POINTS_MAX });
      if (verdict === 'TOO_LONG') {
        return problem(field, 'TOO_LONG', `At most ${TEXT_CODE_POINTS_MAX} characters.`);
      }
      return verdict === 'ok' ? value : problem(field, 'INVALID_TEXT');
    },
    metadata(field) {
      const value = body.get(field) ?? null;
      if (value === null) return null;
      const broken = findMetadataProblems(value);
      for (const message of broken) problem(field, 'INVALID_METADATA', message);
      return broken.length > 0 ? undefined : toMetadata(value as Map<string, string>);
    },
    sendAt(field) {
      const value = body.get(field) ?? null;
      if (value === null) return null;
      return asText(parseSendAt)(value) ?? problem(field, 'INVALID_SEND_AT');
    },
    problem,
    problems: () => problems,
    checked(values) {
      if (problems.length > 0) throw refuse('VALIDATION_ERROR', { fields: problems });
      if (Object.values(values).includes(undefined))
        throw new Error('a broken field was not recorded');
      return values as { [K in keyof typeof values]: Exclude<(typeof values)[K], undefined> };
    },
  };
}

/** Undefined: the sentence of the code says all. The names of keys are repeated only where they are right. */
function findMetadataProblems(value: JsonValue): readonly (string | undefined)[] {
  if (!(value instanceof Map)) return [undefined];
  if (value.size > METADATA_KEYS_MAX) return [`At most ${METADATA_KEYS_MAX} keys.`];
  return [...value].flatMap(([key, text], index) => {
    if (!isMetadataKey(key)) return [`Key ${index + 1}: ${KEY_RULE}`];
    const isRight = typeof text === 'string' && isMetadataValue(text);
    return isRight ? [] : [`${key}: ${VALUE_RULE}`];
  });
}

const KEY_RULE = '1 to 40 letters, digits, dots, underscores and hyphens.';
const VALUE_RULE = `a text of at most ${METADATA_VALUE_LENGTH_MAX} characters, without control characters.`;

/** A time without an offset would mean another moment in each country. */
function parseSendAt(text: string): Date | undefined {
  return /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? parseTime(text) : undefined;
}

function asText<T>(parse: (text: string) => T | undefined): (value: JsonValue) => T | undefined {
  return (value) => (typeof value === 'string' ? parse(value) : undefined);
}

function onlyIf<T extends string>(
  test: (text: string) => text is T,
): (text: string) => T | undefined {
  return (text) => (test(text) ? text : undefined);
}
