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
  return new BodyFields(body, known);
}

/** A class, because a call may have a thousand bodies, and each would need a dozen functions of its own. */
class BodyFields implements FieldReader {
  readonly #body: JsonObject;
  readonly #problems: FieldProblem[] = [];

  constructor(body: JsonObject, known: readonly string[]) {
    this.#body = body;
    for (const name of body.keys()) {
      if (!known.includes(name))
        this.problem(name.slice(0, FIELD_NAME_LENGTH_MAX), 'UNKNOWN_FIELD');
    }
  }

  problem(field: string, code: FieldCode, message?: string): undefined {
    const problems = this.#problems;
    if (problems.length < PROBLEMS_MAX) problems.push(fieldProblem(field, code, message));
    return undefined;
  }

  problems(): readonly FieldProblem[] {
    return this.#problems;
  }

  amount(field: string) {
    return this.#read(field, 'INVALID_AMOUNT', readAmount);
  }

  reference(field: string) {
    return this.#read(field, 'INVALID_REFERENCE', readReference);
  }

  operator(field: string) {
    return this.#read(field, 'INVALID_OPERATOR', readOperator);
  }

  country(field: string) {
    return this.#read(field, 'INVALID_COUNTRY', readCountry);
  }

  phone(field: string, country: Country | undefined) {
    const read = country === undefined ? readAnyPhone : PHONE_READERS[country];
    return this.#read(field, 'INVALID_PHONE', read);
  }

  walletId(field: string) {
    return this.#read(field, 'INVALID_WALLET_ID', readUuid);
  }

  optionalText(field: string) {
    const value = this.#optional(field);
    if (value === null) return null;
    if (typeof value !== 'string') return this.problem(field, 'INVALID_TEXT', 'Must be a string.');
    const verdict = checkPlainText(value, TEXT_LIMITS);
    if (verdict === 'TOO_LONG') {
      return this.problem(field, 'TOO_LONG', `At most ${TEXT_CODE_POINTS_MAX} characters.`);
    }
    return verdict === 'ok' ? value : this.problem(field, 'INVALID_TEXT');
  }

  metadata(field: string) {
    const value = this.#optional(field);
    if (value === null) return null;
    const broken = findMetadataProblems(value);
    for (const message of broken) this.problem(field, 'INVALID_METADATA', message);
    return broken.length > 0 ? undefined : toMetadata(value as Map<string, string>);
  }

  sendAt(field: string) {
    const value = this.#optional(field);
    if (value === null) return null;
    return readSendAt(value) ?? this.problem(field, 'INVALID_SEND_AT');
  }

  checked<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
    const problems = this.#problems;
    if (problems.length > 0) throw refuse('VALIDATION_ERROR', { fields: problems });
    for (const value of Object.values(values)) {
      if (value === undefined) throw new Error('a broken field was not recorded');
    }
    return values as { [K in keyof T]: Exclude<T[K], undefined> };
  }

  #read<T>(
    field: string,
    code: FieldCode,
    parse: (value: JsonValue) => T | undefined,
  ): T | undefined {
    const value = this.#body.get(field);
    if (value === undefined) return this.problem(field, 'REQUIRED');
    return parse(value) ?? this.problem(field, code);
  }

  #optional(field: string): JsonValue {
    return this.#body.get(field) ?? null;
  }
}

const TEXT_LIMITS = { codePointsMax: TEXT_CODE_POINTS_MAX };

function readAmount(value: JsonValue): bigint | undefined {
  return value instanceof JsonNumber ? parseAmount(value.lexeme) : undefined;
}

const readReference = asText(parseReference);
const readOperator = asText(onlyIf(isOperator));
const readCountry = asText(onlyIf(isCountry));
const readUuid = asText(parseUuid);
const readSendAt = asText(parseSendAt);

const PHONE_READERS: Readonly<Record<Country, (value: JsonValue) => string | undefined>> = {
  zm: asText((text) => parsePhone(text, 'zm')),
  ng: asText((text) => parsePhone(text, 'ng')),
};
const readAnyPhone = asText((text) => {
  return COUNTRIES.map((country) => parsePhone(text, country)).find((phone) => phone !== undefined);
});

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
