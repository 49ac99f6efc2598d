import { answerJson, type PlainAnswer } from '../kernel/answer.ts';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { badRequest, refuse } from './mtn-errors.ts';
import { type MtnSettings, SANDBOX } from './mtn-settings.ts';
import { steerHolder } from './mtn-steering.ts';

const MSISDN = /^[1-9][0-9]{7,14}$/;
/** Lower case, as in all working clients, although the operator's pages differ. */
const HOLDER_ID_TYPES = ['msisdn', 'email', 'party_code'];
const UPDATED_AT_S = 1_676_978_048;

type Holder = Readonly<{ idType: string; id: string }>;

/** GET /disbursement/v1_0/accountholder/{idType}/{id}/active */
export function answerActive(
  { targetEnvironment }: MtnSettings,
  { backend }: EmulatorContext,
  { idType, id }: Holder,
): PlainAnswer {
  if (!HOLDER_ID_TYPES.includes(idType)) return badRequest('Unknown type of account holder id.');
  if (idType === 'msisdn' && !MSISDN.test(id)) return badRequest('The number is not valid.');
  const steered = targetEnvironment === SANDBOX ? steerHolder(id) : undefined;
  if (steered !== undefined) return steered;
  if (backend.accountName(id) === null) return refuse('RESOURCE_NOT_FOUND');
  return answerJson(200, { result: true });
}

/** GET /disbursement/v1_0/accountholder/msisdn/{msisdn}/basicuserinfo */
export function answerBasicUserInfo(
  { backend }: EmulatorContext,
  { idType, id }: Holder,
): PlainAnswer {
  if (idType !== 'msisdn' || !MSISDN.test(id)) return badRequest('The number is not valid.');
  const name = backend.accountName(id);
  if (name === null) return refuse('RESOURCE_NOT_FOUND');
  return answerJson(200, {
    sub: '0',
    name: `${name.given} ${name.family}`,
    given_name: name.given,
    family_name: name.family,
    birthdate: '1976-08-13',
    locale: 'en_ZM',
    gender: 'FEMALE',
    updated_at: UPDATED_AT_S,
    status: 'ACTIVE',
  });
}

/** GET /disbursement/v1_0/account/balance and …/balance/{currency} */
export function answerBalance(
  { currency }: MtnSettings,
  { backend }: EmulatorContext,
  requested: string,
): PlainAnswer {
  if (requested !== currency) return refuse('INVALID_CURRENCY');
  const availableBalance = writeDecimalAmount(backend.balanceMinor(currency));
  return answerJson(200, { availableBalance, currency });
}
