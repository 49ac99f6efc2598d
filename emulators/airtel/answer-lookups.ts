import type { OperatorRequest, PlainAnswer } from '../kernel/answer.ts';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { publicKeyBase64 } from '../kernel/rsa-key-file.ts';
import { AirtelRefusal, answerCode } from './airtel-answers.ts';
import type { AirtelState } from './airtel-state.ts';
import { checkCaller, internationalNumber } from './check-caller.ts';

const BALANCE_TYPES = ['DISB', 'COLL', 'CASHIN', 'CASHOUT'];

/** `GET /v1/rsa/encryption-keys`. */
export function giveEncryptionKey(state: AirtelState, request: OperatorRequest): PlainAnswer {
  checkCaller(state, request, 'disbursement');
  const forced = state.forcedCodes.get('keys');
  if (forced !== undefined) return answerCode(state.settings, forced);
  const { id, privateKey, validUpToMs } = state.encryptionKey;
  const data = {
    key_id: id,
    key: publicKeyBase64(privateKey),
    valid_upto: writeTime(validUpToMs),
  };
  return answerCode(state.settings, 'DP02010001001', { data });
}

/** `2027-01-01 00:00:00`. */
function writeTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** `GET /standard/{v1 or v2}/users/{msisdn}`. */
export function answerUser(
  state: AirtelState,
  { request, national }: Readonly<{ request: OperatorRequest; national: string }>,
  { backend }: EmulatorContext,
): PlainAnswer {
  const market = checkCaller(state, request, 'userEnquiry');
  const forced = state.forcedCodes.get('users');
  if (forced !== undefined) return answerUserCode(state, forced);
  const msisdn = internationalNumber(market, national, 'DP02200000000');
  const name = backend.accountName(msisdn);
  if (name === null) return answerUserCode(state, 'DP02200000002');
  const { msisdnAsNumber, barredSuffix } = state.settings;
  return answerUserCode(state, 'DP02200000001', {
    first_name: name.given,
    last_name: name.family,
    grade: 'SUBS',
    is_barred: national.endsWith(barredSuffix),
    is_pin_set: true,
    msisdn: msisdnAsNumber ? Number(national) : national,
    dob: '1990-05-12 00:00:00.0',
    account_status: 'Y',
    // Misspelled as the operator does.
    nationatility: market.country,
    id_number: '125*****5522',
    registration: { id: national, status: 'SUBS' },
  });
}

/** In these answers the new code also replaces the old result code. */
function answerUserCode({ settings }: AirtelState, code: string, data?: unknown): PlainAnswer {
  const resultCode = code;
  return answerCode(settings, code, { resultCode, ...(data === undefined ? {} : { data }) });
}

/** `GET /standard/{v1 or v2}/users/balance`, v2 with `type`. */
export function answerBalance(
  state: AirtelState,
  { request, version }: Readonly<{ request: OperatorRequest; version: 'v1' | 'v2' }>,
  { backend }: EmulatorContext,
): PlainAnswer {
  const { currency } = checkCaller(state, request, 'balance');
  const forced = state.forcedCodes.get('balance');
  if (forced !== undefined) return answerCode(state.settings, forced);
  const type = version === 'v1' ? 'DISB' : request.query.get('type');
  if (type === null) throw new AirtelRefusal('ROUTER003', { why: 'no type' });
  if (!BALANCE_TYPES.includes(type)) throw new AirtelRefusal('DP02100000000');
  const balanceMinor = type === 'DISB' ? backend.balanceMinor(currency) : 0n;
  const balance = writeDecimalAmount(balanceMinor);
  const data = { balance, currency, account_status: 'Active' };
  return answerCode(state.settings, 'DP02100000001', { data });
}
