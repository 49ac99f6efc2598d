import { readStatement } from '../../administrators/read-statement.ts';
import type { FeeTerms } from '../../domain/fee.ts';
import type { FieldCode } from '../../domain/field-problem.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { readFeeFixed, readFeePercent } from '../../merchants/read-fee.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import { type JsonObject, type JsonValue } from '../server/strict-json.ts';
import { translateField } from './translate-refusal.ts';

/** Reads the bodies of the staff's operations, and collects every broken field. */
export type StaffReader = Pick<FieldReader, 'amount' | 'problem' | 'checked'> &
  Readonly<{
    /** A text that a reader of the use cases understands; what it refuses is a problem of the field. */
    text<T>(field: string, read: (text: string) => T): T | undefined;
    /** The same; absent or null reads as `absent`. */
    optionalText<T, A>(field: string, read: (text: string) => T, absent: A): T | A | undefined;
    /** A sentence for the record. */
    statement(field: string): string | undefined;
    /** The same; absent or null reads as null. */
    optionalStatement(field: string): string | null | undefined;
    /** What names the state that the person saw; null: the caller does not say. */
    seen(): string | null | undefined;
    word<T extends string>(field: string, words: readonly T[]): T | undefined;
    /** Null for none. The field must be there. */
    amountOrNull(field: string): bigint | null | undefined;
    /** Absent or null reads as an empty list. */
    texts<T>(field: string, code: FieldCode, read: (texts: readonly string[]) => T): T | undefined;
  }>;

export function createStaffReader(body: JsonObject, known: readonly string[]): StaffReader {
  const fields = createFieldReader(body, known);

  function through<T>(field: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      const problem = translateField(error, field);
      if (problem === undefined) throw error;
      fields.problem(problem.field, problem.code, problem.message);
      return undefined;
    }
  }

  function textOf(field: string, value: JsonValue): string | undefined {
    if (typeof value === 'string') return value;
    fields.problem(field, 'INVALID_TEXT', 'Must be a string.');
    return undefined;
  }

  function optionalText<T, A>(field: string, read: (text: string) => T, absent: A) {
    const value = body.get(field) ?? null;
    if (value === null) return absent;
    const text = textOf(field, value);
    return text === undefined ? undefined : through(field, () => read(text));
  }

  function text<T>(field: string, read: (text: string) => T): T | undefined {
    const found = optionalText(field, read, MISSING);
    if (found !== MISSING) return found;
    fields.problem(field, 'REQUIRED');
    return undefined;
  }

  function seen(): string | null | undefined {
    const name = optionalText('seen', (given) => given, null);
    if (typeof name !== 'string') return name;
    if (checkPlainText(name, { codePointsMax: SEEN_LENGTH_MAX }) === 'ok') return name;
    fields.problem('seen', 'INVALID_TEXT');
    return undefined;
  }

  return {
    seen,
    amount: (field) => fields.amount(field),
    problem: (field, code, message) => fields.problem(field, code, message),
    checked: (values) => fields.checked(values),
    text,
    optionalText,
    statement: (field) => text(field, readStatement),
    optionalStatement: (field) => optionalText(field, readStatement, null),
    word(field, words) {
      const value = body.get(field);
      const word = words.find((known) => known === value);
      if (value === undefined) fields.problem(field, 'REQUIRED');
      else if (word === undefined) {
        fields.problem(field, 'INVALID_TEXT', `One of ${words.join(', ')}.`);
      }
      return word;
    },
    amountOrNull(field) {
      return body.get(field) === null ? null : fields.amount(field);
    },
    texts(field, code, read) {
      const value = body.get(field) ?? [];
      const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
      if (isList)
        return through(field, () => read(value.filter((item) => typeof item === 'string')));
      fields.problem(field, code);
      return undefined;
    },
  };
}

/** The two fields of a fee in a body, both as decimal text. */
export function readFees(read: StaffReader, [fixed, percent]: readonly [string, string]) {
  return {
    fixedMinor: read.text(fixed, readFeeFixed),
    basisPoints: read.text(percent, readFeePercent),
  };
}

export const NO_FEES: FeeTerms = { fixedMinor: 0n, basisPoints: 0 };

const SEEN_LENGTH_MAX = 100;
const MISSING = Symbol('missing');
