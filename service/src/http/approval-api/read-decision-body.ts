import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  REASON_LENGTH_MAX,
  SUBJECT_KINDS,
  type SubjectKind,
} from '../../approvals/approval.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { parseUuid } from '../../domain/uuid.ts';
import {
  DECISIONS_AT_ONCE_MAX,
  DecisionBody,
  DecisionsBody,
  HASH_LENGTH_MAX,
} from '../schemas/approval-list-schema.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import type { JsonObject, JsonValue } from '../server/strict-json.ts';

type ReadDecision = Readonly<{ contentHash: string; reason: string | null }>;

export function readDecisionBody(body: JsonObject): ReadDecision {
  const read = createFieldReader(body, Object.keys(DecisionBody.properties));
  return read.checked(readDecision(read, body, ''));
}

export type OneOfMany = ReadDecision &
  Readonly<{ kind: SubjectKind; id: string; decision: ApprovalDecision }>;

/** All of them, or a VALIDATION_ERROR with every broken one: half of what a person chose is not what they chose. */
export function readDecisionsBody(body: JsonObject): readonly OneOfMany[] {
  const read = createFieldReader(body, Object.keys(DecisionsBody.properties));
  const given = body.get('decisions');
  const isList = Array.isArray(given) && given.length > 0 && given.length <= DECISIONS_AT_ONCE_MAX;
  if (given === undefined) read.problem('decisions', 'REQUIRED');
  else if (!isList) read.problem('decisions', 'INVALID_LIST', LIST_RULE);
  const items = isList ? given : [];
  const many = items.map((item, index) => readOneOfMany(read, item, `decisions.${index}.`));
  read.checked({});
  return many.filter((one) => one !== undefined);
}

const LIST_RULE = `A list of 1 to ${DECISIONS_AT_ONCE_MAX} decisions.`;

function readOneOfMany(read: FieldReader, item: JsonValue, path: string): OneOfMany | undefined {
  if (!(item instanceof Map)) {
    read.problem(path.slice(0, -1), 'INVALID_LIST', LIST_RULE);
    return undefined;
  }
  for (const name of item.keys()) {
    if (!ITEM_FIELDS.includes(name)) read.problem(`${path}${name.slice(0, 60)}`, 'UNKNOWN_FIELD');
  }
  const { contentHash, reason } = readDecision(read, item, path);
  const kind = wordOf(SUBJECT_KINDS, item.get('kind'));
  const decision = wordOf(APPROVAL_DECISIONS, item.get('decision'));
  const idText = item.get('id');
  const id = typeof idText === 'string' ? parseUuid(idText) : undefined;
  if (kind === undefined) read.problem(`${path}kind`, 'INVALID_TEXT', oneOf(SUBJECT_KINDS));
  if (decision === undefined)
    read.problem(`${path}decision`, 'INVALID_TEXT', oneOf(APPROVAL_DECISIONS));
  if (id === undefined) read.problem(`${path}id`, 'INVALID_ID');
  if (kind === undefined || decision === undefined || id === undefined) return undefined;
  if (contentHash === undefined || reason === undefined) return undefined;
  return { kind, id, decision, contentHash, reason };
}

const ITEM_FIELDS = ['kind', 'id', 'contentHash', 'decision', 'reason'];

function readDecision(read: FieldReader, body: JsonObject, path: string) {
  return { contentHash: readHash(read, body, path), reason: readReason(read, body, path) };
}

/** Any text is read: one that is no hash is the hash of something else. */
function readHash(read: FieldReader, body: JsonObject, path: string): string | undefined {
  const value = body.get('contentHash');
  const field = `${path}contentHash`;
  if (value === undefined) read.problem(field, 'REQUIRED');
  else if (typeof value !== 'string') read.problem(field, 'INVALID_TEXT', 'Must be a string.');
  else {
    const verdict = checkPlainText(value, { codePointsMax: HASH_LENGTH_MAX });
    if (verdict === 'ok') return value;
    read.problem(field, verdict);
  }
  return undefined;
}

function readReason(read: FieldReader, body: JsonObject, path: string): string | null | undefined {
  const value = body.get('reason') ?? null;
  const field = `${path}reason`;
  if (value === null) return null;
  if (typeof value !== 'string') {
    read.problem(field, 'INVALID_TEXT', 'Must be a string.');
    return undefined;
  }
  const text = value.normalize('NFC').trim();
  const verdict = checkPlainText(text, { codePointsMax: REASON_LENGTH_MAX });
  if (verdict === 'ok') return text === '' ? null : text;
  read.problem(field, verdict);
  return undefined;
}

function wordOf<T extends string>(
  words: readonly T[],
  value: JsonValue | undefined,
): T | undefined {
  return words.find((word) => word === value);
}

function oneOf(words: readonly string[]): string {
  return `One of ${words.join(', ')}.`;
}
