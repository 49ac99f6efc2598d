import { parseTime } from '../../domain/parse-time.ts';
import { type EventType, isEventType } from '../../events/event-types.ts';
import { checkWebhookUrl, type WebhookUrlRules } from '../../webhooks/webhook-url.ts';
import type { FieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

/** Reads the fields that only webhooks have. Absent and null read as null, broken values as undefined. */
export function readOptionalUrl(
  { read, body }: BodyFields,
  rules: WebhookUrlRules,
): URL | null | undefined {
  const text = body.get('url') ?? null;
  if (text === null) return null;
  const url = typeof text === 'string' ? checkWebhookUrl(text, rules) : undefined;
  if (url === undefined) read.problem('url', 'INVALID_URL');
  return url;
}

export function readOptionalEvents({
  read,
  body,
}: BodyFields): readonly EventType[] | null | undefined {
  const value = body.get('events') ?? null;
  if (value === null) return null;
  const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
  const types = words.filter(isEventType);
  // `types` is shorter than the list if an item is no known type, or if a type is given twice.
  if (Array.isArray(value) && new Set(types).size === value.length) return types;
  read.problem('events', 'INVALID_EVENTS');
  return undefined;
}

export function readOptionalStatus({
  read,
  body,
}: BodyFields): 'enabled' | 'disabled' | null | undefined {
  const value = body.get('status') ?? null;
  if (value === null || value === 'enabled' || value === 'disabled') return value;
  read.problem('status', 'INVALID_STATUS', 'One of enabled, disabled.');
  return undefined;
}

export function readOptionalTime({ read, body }: BodyFields, field: string) {
  const value = body.get(field) ?? null;
  if (value === null) return null;
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) read.problem(field, 'INVALID_TIME');
  return time;
}

export type BodyFields = Readonly<{ read: FieldReader; body: JsonObject }>;
