import type { NameAnswer } from '../contract/connector.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { errorCode } from './answers.ts';
import type { MtnAnswer } from './call.ts';
import { holderRequest, type MtnRequest } from './requests.ts';

/** Statuses about our key, our rate or MTN's platform: a second request would get the same. */
const SPEAK_OF_US: readonly number[] = [401, 403, 429, 503];

/**
 * Looks up the name of an account. MTN does not document its answer for a number without an account, so the holder's
 * `active` then distinguishes "no account" from "no answer".
 */
export async function resolveMtnName(
  phone: string,
  ask: (request: MtnRequest) => Promise<MtnAnswer>,
): Promise<NameAnswer> {
  const named = await ask(holderRequest(phone, 'basicuserinfo'));
  if (named.kind !== 'answered') return { kind: 'unreachable', cause: named.cause };
  const accountName = nameIn(named);
  if (accountName !== undefined) return { kind: 'resolved', accountName };
  if (SPEAK_OF_US.includes(named.status)) {
    return { kind: 'unreachable', cause: `HTTP ${named.status}` };
  }
  const active = await ask(holderRequest(phone, 'active'));
  if (hasNoAccount(active)) return { kind: 'noAccount' };
  return { kind: 'unreachable', cause: `HTTP ${named.status} without a name` };
}

/** The given and the family name; everything else that MTN reports about a person is dropped. */
function nameIn(answer: MtnAnswer): string | undefined {
  if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
  const parts = [textAt(answer.json, 'given_name'), textAt(answer.json, 'family_name')];
  const name = parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join(' ');
  return name === '' ? undefined : name;
}

function hasNoAccount(active: MtnAnswer): boolean {
  if (active.kind !== 'answered') return false;
  if (active.status === 404) return errorCode(active) === 'RESOURCE_NOT_FOUND';
  const result = at(active.json, 'result');
  return active.status === 200 && (result === false || result === 'false');
}
