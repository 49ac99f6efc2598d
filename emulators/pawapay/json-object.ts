import { isJsonObject, type JsonObject } from '../kernel/read-json-object.ts';
import { Rejection } from './failure-codes.ts';

/** Reads a body that must be JSON in UTF-8. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new Rejection('INVALID_INPUT', 'The body is not JSON.');
  }
}

type Members = Readonly<{ required: readonly string[]; optional: readonly string[] }>;

/** Checks required and unknown members. `where` is the path before their names, such as `recipient.`. */
export function readMembers(value: unknown, where: string, members: Members): JsonObject {
  if (!isJsonObject(value)) {
    const name = where.slice(0, -1);
    throw where === ''
      ? new Rejection('INVALID_INPUT', 'The body is not a JSON object.')
      : new Rejection('INVALID_PARAMETER', `The parameter '${name}' is not an object.`);
  }
  for (const name of members.required) {
    if (value[name] === undefined || value[name] === null) {
      throw new Rejection('MISSING_PARAMETER', `The parameter '${where}${name}' is missing.`);
    }
  }
  for (const name of Object.keys(value)) {
    if (!members.required.includes(name) && !members.optional.includes(name)) {
      throw new Rejection(
        'UNSUPPORTED_PARAMETER',
        `The parameter '${where}${name}' is not supported.`,
      );
    }
  }
  return value;
}

/** Reads a string that matches the pattern; the refusal of anything else names the parameter. */
export function readText(value: unknown, name: string, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw new Rejection('INVALID_PARAMETER', `The parameter '${name}' is not valid.`);
}

/** The same for an optional parameter. */
export function readOptionalText(value: unknown, name: string, pattern: RegExp): string | null {
  return value === undefined || value === null ? null : readText(value, name, pattern);
}
