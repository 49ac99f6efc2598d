import type { CallbackReading, RawCallback } from '../connector.ts';
import { type ExactJson, readExactJson, textAt } from '../wire/exact-json.ts';

const METHODS: readonly string[] = ['PUT', 'POST'];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Claim = Extract<CallbackReading, { kind: 'read' }>['claims'];
const CLAIMS: ReadonlyMap<string, Claim> = new Map([
  ['SUCCESSFUL', 'paid'],
  ['FAILED', 'failed'],
  ['PENDING', 'pending'],
]);

/** MTN's call when a transfer is final: the body of a status answer, signed by nobody. */
export function readMtnCallback({ method, body }: RawCallback): CallbackReading {
  if (!METHODS.includes(method.toUpperCase())) {
    return { kind: 'unreadable', cause: 'neither PUT nor POST' };
  }
  const json = readExactJson(body.toString('utf8'));
  if (json === undefined) return { kind: 'unreadable', cause: 'not JSON' };
  const externalId = referenceAt(json, 'externalId');
  const referenceId = referenceAt(json, 'referenceId');
  const operatorReference = externalId ?? referenceId;
  if (operatorReference === undefined) {
    return { kind: 'unreadable', cause: 'no reference of ours in externalId or referenceId' };
  }
  if (referenceId !== undefined && referenceId !== operatorReference) {
    return { kind: 'unreadable', cause: 'externalId and referenceId differ' };
  }
  const claims = CLAIMS.get(textAt(json, 'status') ?? '') ?? 'unknown';
  return { kind: 'read', operatorReference, claims, verified: false };
}

function referenceAt(json: ExactJson, field: string): string | undefined {
  const reference = textAt(json, field)?.toLowerCase();
  return reference !== undefined && UUID.test(reference) ? reference : undefined;
}
