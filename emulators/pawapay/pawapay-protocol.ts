import { type Answer, answerJson, type OperatorRequest } from '../kernel/answer.ts';
import type { KindOf } from '../kernel/call-limiter.ts';
import type { EmulatorContext, Protocol } from '../kernel/emulator-context.ts';
import { answerSwitch, SWITCH_PREFIX } from './account-switches.ts';
import { admit, type Permission, requireJson } from './admit-request.ts';
import { answerStatus, failEnqueued, resendCallback } from './answer-queries.ts';
import { answerPayout } from './answer-submissions.ts';
import { answerRejection } from './answers.ts';
import { failureReason, Rejection } from './failure-codes.ts';
import { readJson } from './json-object.ts';
import { type MerchantAccount, statusOfProvider } from './merchant-account.ts';
import { readPayoutId } from './payout-request.ts';
import { predictProvider } from './predict-provider.ts';
import { COUNTRIES, type CountryCode } from './providers.ts';
import { spendableMinor } from './take-payout.ts';
import {
  type Account,
  activeConf,
  availability,
  readSelection,
  walletBalances,
} from './toolkit.ts';

type Handler = (
  account: MerchantAccount,
  context: EmulatorContext,
  request: OperatorRequest & Readonly<{ lastSegment: string }>,
) => Answer | Promise<Answer>;

type Route = Readonly<{
  method: 'GET' | 'POST';
  /** A path that ends in a slash is followed by a payout's id. */
  path: string;
  permission: Permission;
  answer: Handler;
}>;

const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v2/payouts', permission: 'pay', answer: answerPayout },
  {
    method: 'POST',
    path: '/v2/payouts/resend-callback/',
    permission: 'pay',
    answer: (account, context, { lastSegment }) =>
      resendCallback(account, context, readPayoutId(lastSegment)),
  },
  {
    method: 'POST',
    path: '/v2/payouts/fail-enqueued/',
    permission: 'pay',
    answer: (account, context, { lastSegment }) =>
      failEnqueued(account, context, readPayoutId(lastSegment)),
  },
  {
    method: 'GET',
    path: '/v2/payouts/',
    permission: 'look',
    answer: (account, context, { lastSegment }) =>
      answerStatus(account, context, readPayoutId(lastSegment)),
  },
  {
    method: 'GET',
    path: '/v2/active-conf',
    permission: 'look',
    answer: (account, _, { query }) =>
      answerJson(200, activeConf(toolkitAccount(account), readSelection(query))),
  },
  {
    method: 'GET',
    path: '/v2/availability',
    permission: 'look',
    answer: (account, _, { query }) =>
      answerJson(200, availability(toolkitAccount(account), readSelection(query))),
  },
  {
    method: 'POST',
    path: '/v2/predict-provider',
    permission: 'look',
    answer: (account, _, request) => {
      requireJson(request);
      return answerJson(200, predictProvider(account, readJson(request.body)));
    },
  },
  {
    method: 'GET',
    path: '/v2/wallet-balances',
    permission: 'look',
    answer: (account, context, { query }) => {
      const balanceOf = (country: CountryCode) =>
        spendableMinor(account, context, COUNTRIES[country].currency);
      return answerJson(200, walletBalances(balanceOf, readSelection(query)));
    },
  },
  {
    method: 'GET',
    path: '/v2/public-key/http',
    permission: 'look',
    answer: ({ credentials: { callbackKey } }) =>
      answerJson(200, [{ id: callbackKey.keyId, key: callbackKey.publicKeyPem }]),
  },
];

export const kindOfPawapayCall: KindOf = ({ method, path }) => {
  if (method === 'GET' && path === '/v2/wallet-balances') return 'balance';
  if (method === 'POST' && path === '/v2/payouts') return 'submission';
  return method === 'GET' && /^\/v2\/payouts\/[^/]+$/.test(path) ? 'inquiry' : 'other';
};

function toolkitAccount(account: MerchantAccount): Account {
  return {
    ...account,
    statusOf: (provider) => statusOfProvider(account, provider),
    callbackUrl: () => account.callbackUrl,
  };
}

/** The protocol of one pawaPay account. */
export function createPawapayProtocol(account: MerchantAccount): Protocol {
  return async (request, context) => {
    account.context = context;
    if (request.path.startsWith(SWITCH_PREFIX)) return answerSwitch(account, context, request);
    try {
      return await answerApi(account, context, request);
    } catch (error) {
      if (error instanceof Rejection) return answerRejection(account, error);
      throw error;
    }
  };
}

async function answerApi(
  account: MerchantAccount,
  context: EmulatorContext,
  request: OperatorRequest,
): Promise<Answer> {
  const lastSegment = request.path.slice(request.path.lastIndexOf('/') + 1);
  const stem = request.path.slice(0, request.path.length - lastSegment.length);
  const here = ROUTES.filter(({ path }) => path === request.path || path === stem);
  const route = here.find(({ method }) => method === request.method);
  admit(account, request, route?.permission ?? 'look');
  if (route !== undefined) return route.answer(account, context, { ...request, lastSegment });
  const status = here.length > 0 ? 405 : 404;
  return answerJson(status, {
    failureReason: failureReason('NOT_FOUND', 'This path does not exist.'),
  });
}
