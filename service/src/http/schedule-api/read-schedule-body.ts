import { FIELD_CODES } from '../../domain/field-problem.ts';
import { parseRecurrence } from '../../domain/parse-recurrence.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import type { RecurrenceChoice } from '../../domain/recurrence.ts';
import { Refusal } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { ScheduleOrder } from '../../schedules/create-schedule.ts';
import type { RowsSource } from '../../schedules/keep-rows.ts';
import {
  GIVEN_ROWS_MAX,
  SCHEDULE_NAME_LENGTH_MAX,
  type ScheduleRow,
} from '../../schedules/schedule.ts';
import { ScheduleBody, ScheduleChangeBody } from '../schemas/schedule-schema.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../server/strict-json.ts';

type Read = Readonly<{ order: ScheduleOrder; rows: RowsSource | null }>;

/** Throws a VALIDATION_ERROR with all broken fields. `rows` null: neither a file nor rows were given. */
export function readScheduleBody(body: JsonObject, needsRows: boolean): Read {
  const read = createFieldReader(body, Object.keys(ScheduleBody.properties));
  const { rows, ...order } = read.checked(readFields(read, body, needsRows));
  return { order, rows };
}

/** The same of a change, in which the list may be left out. */
export function readScheduleChange(body: JsonObject): Read & Readonly<{ version: string | null }> {
  const read = createFieldReader(body, Object.keys(ScheduleChangeBody.properties));
  const { rows, version, ...order } = read.checked({
    ...readFields(read, body, false),
    version: read.optionalText('version'),
  });
  return { order, rows, version };
}

function readFields(read: FieldReader, body: JsonObject, needsRows: boolean) {
  const name = readName(read, body);
  const recurrence = readRecurrence(read, body.get('recurrence'));
  const walletId = read.walletId('walletId');
  const rows = readRows(read, body, needsRows);
  return { name, walletId, recurrence, rows };
}

function readName(read: FieldReader, body: JsonObject): string | undefined {
  const value = body.get('name');
  if (value === undefined) read.problem('name', 'REQUIRED');
  else if (typeof value !== 'string') read.problem('name', 'INVALID_TEXT', 'Must be a string.');
  else {
    const verdict = checkPlainText(value, { codePointsMax: SCHEDULE_NAME_LENGTH_MAX });
    if (verdict === 'ok' && value.trim() !== '') return value.trim();
    if (verdict === 'TOO_LONG') {
      read.problem('name', 'TOO_LONG', `At most ${SCHEDULE_NAME_LENGTH_MAX} characters.`);
    } else read.problem('name', 'INVALID_TEXT');
  }
  return undefined;
}

const RECURRENCE_PARTS: readonly string[] = ['every', 'day', 'at', 'ifHoliday'];

function readRecurrence(
  read: FieldReader,
  value: JsonValue | undefined,
): RecurrenceChoice | undefined {
  const broken = (message?: string) => {
    read.problem('recurrence', 'INVALID_RECURRENCE', message);
    return undefined;
  };
  if (value === undefined) {
    read.problem('recurrence', 'REQUIRED');
    return undefined;
  }
  if (!(value instanceof Map)) return broken();
  const unknown = [...value.keys()].find((key) => !RECURRENCE_PARTS.includes(key));
  if (unknown !== undefined) return broken(`It has a member that is not known.`);
  const part = (name: string) => plainValue(value.get(name));
  const found = parseRecurrence({
    every: part('every'),
    day: part('day'),
    at: part('at'),
    ifHoliday: part('ifHoliday'),
  });
  return 'choice' in found ? found.choice : broken(`${found.part}: ${found.message}`);
}

function plainValue(value: JsonValue | undefined): unknown {
  return value instanceof JsonNumber ? Number(value.lexeme) : value;
}

const EITHER = 'Give the id of a payout file, or rows.';
const NOT_BOTH = 'Give rows or the id of a payout file, not both.';

function readRows(
  read: FieldReader,
  body: JsonObject,
  needsRows: boolean,
): RowsSource | null | undefined {
  const file = body.get('payoutFileId') ?? null;
  const rows = body.get('rows') ?? null;
  if (file === null && rows === null) {
    if (!needsRows) return null;
    read.problem('payoutFileId', 'REQUIRED', EITHER);
    return undefined;
  }
  const fileId = typeof file === 'string' ? parseUuid(file) : undefined;
  if (file !== null && fileId === undefined) read.problem('payoutFileId', 'INVALID_ID');
  const given = rows === null ? undefined : readGiven(read, rows);
  if (fileId !== undefined && given !== undefined) {
    read.problem('payoutFileId', 'INVALID_ID', NOT_BOTH);
    return undefined;
  }
  if (fileId !== undefined) return { kind: 'file', fileId };
  return given === undefined ? undefined : { kind: 'given', rows: given };
}

function readGiven(read: FieldReader, value: JsonValue): readonly ScheduleRow[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > GIVEN_ROWS_MAX) {
    read.problem('rows', 'INVALID_LIST', `A list of 1 to ${GIVEN_ROWS_MAX} payouts.`);
    return undefined;
  }
  const rows: ScheduleRow[] = [];
  for (const [index, item] of value.entries()) {
    const row = readRow(item);
    if ('message' in row) read.problem('rows', 'INVALID_LIST', `Row ${index + 1}: ${row.message}`);
    else rows.push(row);
  }
  return rows.length === value.length ? rows : undefined;
}

const ROW_FIELDS = ['amount', 'phone', 'operator', 'country', 'narration', 'recipientName'];

/** A row, or what is wrong with it. */
function readRow(item: JsonValue): ScheduleRow | Readonly<{ message: string }> {
  if (!(item instanceof Map)) return { message: 'it must be an object.' };
  const read = createFieldReader(item, ROW_FIELDS);
  const country = read.country('country');
  const row = {
    amountMinor: read.amount('amount'),
    phone: read.phone('phone', country),
    operator: read.operator('operator'),
    country,
    narration: read.optionalText('narration'),
    recipientName: read.optionalText('recipientName'),
  };
  try {
    return read.checked(row);
  } catch (error) {
    const [first] = error instanceof Refusal ? (error.detail.fields ?? []) : [];
    if (first === undefined) throw error;
    return { message: `${first.field}: ${first.message ?? FIELD_CODES[first.code]}` };
  }
}
