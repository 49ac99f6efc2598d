import { parsePolicy } from '../../domain/policy/parse-policy.ts';
import type { Policy } from '../../domain/policy/policy.ts';
import { refuse } from '../../domain/refusal.ts';
import type { PolicyDocument } from '../../policies/policy-version.ts';
import { JsonNumber, type JsonObject, type JsonValue } from '../server/strict-json.ts';

/** Throws VALIDATION_ERROR with all that is wrong. */
export function readDocument(
  body: JsonObject,
): Readonly<{ document: PolicyDocument; policy: Policy }> {
  const document = toPlainObject(body);
  const parsed = parsePolicy(document);
  if (!parsed.isValid) throw refuse('VALIDATION_ERROR', { fields: parsed.problems });
  return { document, policy: parsed.policy };
}

/** All numbers of a document are small and whole; one that is not is refused as such. */
function toPlainValue(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(toPlainValue);
  return value instanceof Map ? toPlainObject(value) : value;
}

/** Object.fromEntries defines members, so that `__proto__` is one like any other, and is refused as unknown. */
function toPlainObject(value: JsonObject): PolicyDocument {
  return Object.fromEntries([...value].map(([name, member]) => [name, toPlainValue(member)]));
}
