import type { Answer, OperatorRequest } from '../kernel/answer.ts';
import type { KindOf } from '../kernel/call-limiter.ts';
import type { EmulatorContext, Protocol } from '../kernel/emulator-context.ts';
import {
  type ApiUser,
  type MtnAccess,
  readBearerUser,
  refuseAddress,
  refuseSubscription,
  refuseTarget,
} from './mtn-access.ts';
import { badRequest, refuse, refuseAtGateway } from './mtn-errors.ts';
import { answerActive, answerBalance, answerBasicUserInfo } from './mtn-holder.ts';
import { createApiKey, createApiUser, showApiUser } from './mtn-provisioning.ts';
import { SANDBOX } from './mtn-settings.ts';
import { answerStatus } from './mtn-status.ts';
import { submitOrder } from './mtn-submit.ts';
import { answerToken } from './mtn-token.ts';

type Call = Readonly<{
  access: MtnAccess;
  user: ApiUser;
  context: EmulatorContext;
  request: OperatorRequest;
}>;
type Route = Readonly<{
  method: 'GET' | 'POST';
  path: RegExp;
  answer(call: Call, segments: readonly string[]): Answer | Promise<Answer>;
}>;

/** All of these need a token, a target environment and a subscription key. */
const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/disbursement\/v1_0\/transfer$/,
    answer: (call) => submitOrder(call, 'transfer', call.request),
  },
  {
    method: 'POST',
    path: /^\/disbursement\/v[12]_0\/deposit$/,
    answer: (call) => submitOrder(call, 'deposit', call.request),
  },
  {
    method: 'POST',
    path: /^\/disbursement\/v[12]_0\/refund$/,
    answer: (call) => submitOrder(call, 'refund', call.request),
  },
  {
    method: 'GET',
    path: /^\/disbursement\/v1_0\/(transfer|deposit|refund)\/([^/]+)$/,
    answer: ({ access, context }, [operation = '', reference = '']) =>
      answerStatus(access, context, { operation, reference }),
  },
  {
    method: 'GET',
    path: /^\/disbursement\/v1_0\/accountholder\/([^/]+)\/([^/]+)\/active$/,
    answer: ({ access, context }, [idType = '', id = '']) =>
      answerActive(access.settings, context, { idType, id }),
  },
  {
    method: 'GET',
    path: /^\/disbursement\/v1_0\/accountholder\/([^/]+)\/([^/]+)\/basicuserinfo$/,
    answer: ({ context }, [idType = '', id = '']) => answerBasicUserInfo(context, { idType, id }),
  },
  {
    method: 'GET',
    path: /^\/disbursement\/v1_0\/account\/balance(?:\/([^/]+))?$/,
    answer: ({ access, context }, [currency = access.settings.currency]) =>
      answerBalance(access.settings, context, currency),
  },
];

export const kindOfMtnCall: KindOf = ({ method, path }) => {
  if (/^\/disbursement\/v1_0\/account\/balance(?:\/|$)/.test(path)) return 'balance';
  if (!/^\/disbursement\/v\d_0\/(?:transfer|deposit|refund)(?:\/|$)/.test(path)) return 'other';
  return method === 'POST' ? 'submission' : 'inquiry';
};

/** The disbursement product and the sandbox's provisioning API. */
export function createMtnProtocol(access: MtnAccess): Protocol {
  return async (request, context) => {
    const noSubscription = refuseSubscription(access, request);
    if (noSubscription !== null) return noSubscription;
    if (request.path.startsWith('/v1_0/apiuser')) return provision(access, request);
    const forbidden = refuseAddress(access, request);
    if (forbidden !== null) return forbidden;
    if (request.method === 'POST' && request.path === '/disbursement/token/') {
      return answerToken(access, request);
    }
    return disburse(access, request, context);
  };
}

async function disburse(
  access: MtnAccess,
  request: OperatorRequest,
  context: EmulatorContext,
): Promise<Answer> {
  for (const { method, path, answer } of ROUTES) {
    const match = method === request.method ? path.exec(request.path) : null;
    if (match === null) continue;
    const user = readBearerUser(access, request);
    if ('status' in user) return user;
    const wrongTarget = refuseTarget(access, request);
    if (wrongTarget !== null) return wrongTarget;
    if (method === 'GET' && request.body.length > 0) return badRequest('A GET has no body.');
    return answer({ access, user, context, request }, readSegments(match));
  }
  return refuseAtGateway(404, 'Resource not found');
}

/** The captured path segments, up to the first group that did not match. */
function readSegments(match: RegExpExecArray): readonly string[] {
  const caught = match.slice(1).filter((segment) => segment !== undefined);
  try {
    return caught.map(decodeURIComponent);
  } catch {
    // A path with invalid percent-encoding matches no resource.
    return caught;
  }
}

/** Only in the sandbox; production has a web portal instead. */
function provision(access: MtnAccess, request: OperatorRequest): Answer {
  if (access.settings.targetEnvironment !== SANDBOX) {
    return refuseAtGateway(404, 'Resource not found');
  }
  const { method, path, body } = request;
  if (method === 'POST' && path === '/v1_0/apiuser') return createApiUser(access, request);
  const [, id = '', key = ''] = /^\/v1_0\/apiuser\/([^/]+)(\/apikey)?$/.exec(path) ?? [];
  if (id !== '' && body.length > 0) return badRequest('There is no body in this call.');
  if (method === 'POST' && key !== '') return createApiKey(access, id);
  if (method === 'GET' && id !== '' && key === '') return showApiUser(access, id);
  return refuse('RESOURCE_NOT_FOUND');
}
