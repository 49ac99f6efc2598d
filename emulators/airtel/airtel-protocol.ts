import type { Answer, OperatorRequest } from '../kernel/answer.ts';
import type { KindOf } from '../kernel/call-limiter.ts';
import type { EmulatorContext, Protocol } from '../kernel/emulator-context.ts';
import { AirtelRefusal, answerCode, GatewayRefusal, NO_SUCH_PATH } from './airtel-answers.ts';
import type { AirtelState, AirtelVersion } from './airtel-state.ts';
import { answerBalance, answerUser, giveEncryptionKey } from './answer-lookups.ts';
import { disburse } from './disburse.ts';
import { enquire } from './enquire.ts';
import { issueToken } from './issue-token.ts';

/** The documented paths: v1 and v2 have a slash at the end, v3 has none. */
const PAY = /^POST \/standard\/(?:(v[12])\/disbursements\/|(v3)\/disbursements)$/;
const ENQUIRE = /^GET \/standard\/(v[123])\/disbursements\/([^/]+)$/;
const BALANCE = /^GET \/standard\/(v[12])\/users\/balance$/;
const USER = /^GET \/standard\/v[12]\/users\/([^/]+)$/;

export const kindOfAirtelCall: KindOf = ({ method, path }) => {
  const call = `${method} ${path}`;
  if (PAY.test(call)) return 'submission';
  if (BALANCE.test(call)) return 'balance';
  return ENQUIRE.test(call) ? 'inquiry' : 'other';
};

export function createAirtelProtocol(state: AirtelState): Protocol {
  return async (request, context) => {
    try {
      return await route(state, request, context);
    } catch (error) {
      if (error instanceof GatewayRefusal) return error.answer;
      if (error instanceof AirtelRefusal) {
        return answerCode(state.settings, error.code, error.details);
      }
      throw error;
    }
  };
}

async function route(
  state: AirtelState,
  request: OperatorRequest,
  context: EmulatorContext,
): Promise<Answer> {
  const call = `${request.method} ${request.path}`;
  if (call === 'POST /auth/oauth2/token') return issueToken(state, request);
  if (call === 'GET /v1/rsa/encryption-keys') return giveEncryptionKey(state, request);

  const [, slashed, plain] = PAY.exec(call) ?? [];
  const paidWith = enabledVersion(state, slashed ?? plain);
  if (paidWith !== null) return disburse(state, { request, version: paidWith }, context);

  const [, enquiredVersion, id = ''] = ENQUIRE.exec(call) ?? [];
  const version = enabledVersion(state, enquiredVersion);
  if (version !== null) return enquire(state, { request, version, id }, context);

  const [, balanceOf] = BALANCE.exec(call) ?? [];
  if (balanceOf === 'v1' || balanceOf === 'v2') {
    return answerBalance(state, { request, version: balanceOf }, context);
  }
  const [, national] = USER.exec(call) ?? [];
  if (national !== undefined) return answerUser(state, { request, national }, context);
  return NO_SUCH_PATH;
}

function enabledVersion(
  { settings }: AirtelState,
  version: string | undefined,
): AirtelVersion | null {
  return settings.versions.find((enabled) => enabled === version) ?? null;
}
