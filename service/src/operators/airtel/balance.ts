import type { BalanceAnswer } from '../contract/connector.ts';
import { at, textAt } from '../wire/exact-json.ts';
import { type Answered, describe, isOk, readForm } from './answers.ts';
import { callAirtel } from './call.ts';
import { readMinor } from './formats.ts';
import type { AirtelParts } from './parts.ts';

/** The first version has one account, the second several: ours is the disbursement account. */
const PATHS = {
  v1: '/standard/v1/users/balance',
  v2: '/standard/v2/users/balance?type=DISB',
} as const;

export async function readBalance(parts: AirtelParts): Promise<BalanceAnswer> {
  const path = PATHS[parts.settings.balanceVersion];
  const { balanceMs } = parts.timeouts;
  const called = await callAirtel(parts, { path, body: null, timeoutMs: balanceMs });
  if (called.kind === 'unprepared') return unreachable(called.cause);
  const { answer } = called;
  return answer.kind === 'answered'
    ? judgeBalance(answer, parts.currency)
    : unreachable(answer.cause);
}

function judgeBalance(answer: Answered, currencyOfRoute: string): BalanceAnswer {
  const form = readForm(answer);
  const meaning = form?.entry.meaning;
  const isAnswered = meaning?.kind === 'answered' && meaning.lookup === 'balance';
  if (!isAnswered || form?.success !== true || !isOk(answer.status)) {
    return unreachable(describe(answer));
  }
  const data = at(answer.json, 'data');
  const availableMinor = readMinor(textAt(data, 'balance') ?? '');
  const currency = textAt(data, 'currency');
  if (availableMinor === undefined || currency === undefined) {
    return unreachable('an answer without a readable balance');
  }
  return currency === currencyOfRoute
    ? { kind: 'known', availableMinor, currency }
    : unreachable(`a balance in another currency than ${currencyOfRoute}`);
}

function unreachable(cause: string): BalanceAnswer {
  return { kind: 'unreachable', cause };
}
