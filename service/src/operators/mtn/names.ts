import type { NameAnswer } from '../contract/connector.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { errorCode } from './answers.ts';
import type { MtnAnswer } from './call.ts';
import { holderRequest, type MtnRequest } from './requests.ts';

/** Answers about our key, our pace or MTN's platform: asking on would bring the same. */
const SPEAK_OF_US: readonly number[] = [401, 403, 429, 503];

/**
 * Asks whose account it is. MTN does not document what it answers for a number without one, so the
 * holder's `active` decides then whether there is no account or just no answer.
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

/** The given and the family name, and nothing else of all that MTN tells about a person. */
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
