import { parsePhone } from '../../domain/phone-number.ts';
import type { Account, NameAnswer } from '../contract/connector.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { type Answered, describe, isOk, mayRefuse, readForm } from './answers.ts';
import { callAirtel } from './call.ts';
import { nationalNumber } from './formats.ts';
import type { AirtelParts } from './parts.ts';

export async function resolveName(parts: AirtelParts, account: Account): Promise<NameAnswer> {
  const { userEnquiryVersion } = parts.settings;
  const msisdn = nationalNumber(account.phone, account.country);
  const path = `/standard/${userEnquiryVersion}/users/${msisdn}`;
  const called = await callAirtel(parts, { path, body: null, timeoutMs: parts.timeouts.nameMs });
  if (called.kind === 'unprepared') return unreachable(called.cause);
  const { answer } = called;
  return answer.kind === 'answered' ? readName(answer, account) : unreachable(answer.cause);
}

function readName(answer: Answered, account: Account): NameAnswer {
  const form = readForm(answer);
  const meaning = form?.entry.meaning;
  const isMissing = meaning?.kind === 'refused' && meaning.failure === 'RECIPIENT_NOT_FOUND';
  if (isMissing && form?.success === false && mayRefuse(answer.status)) {
    return { kind: 'noAccount' };
  }
  const isAnswered = meaning?.kind === 'answered' && meaning.lookup === 'user';
  if (!isAnswered || form?.success !== true || !isOk(answer.status)) {
    return unreachable(describe(answer));
  }
  const user = at(answer.json, 'data');
  const msisdn = textAt(user, 'msisdn');
  if (msisdn !== undefined && parsePhone(msisdn, account.country) !== account.phone) {
    return unreachable('an answer about another number');
  }
  // Airtel refuses money for a barred account, so it counts as no account.
  const isBarred = at(user, 'is_barred');
  if (isBarred === true || isBarred === 'true') return { kind: 'noAccount' };
  const names = [textAt(user, 'first_name'), textAt(user, 'last_name')];
  const accountName = names
    .map((name) => name?.trim() ?? '')
    .filter((name) => name !== '')
    .join(' ');
  return accountName === ''
    ? unreachable('an account without a name')
    : { kind: 'resolved', accountName };
}

function unreachable(cause: string): NameAnswer {
  return { kind: 'unreachable', cause };
}
