import type { Answer, OperatorRequest } from '../kernel/answer.ts';
import type { KindOf } from '../kernel/call-limiter.ts';
import type { EmulatorContext, Protocol } from '../kernel/emulator-context.ts';
import { queryName, queryStatus } from './answer-queries.ts';
import { getSession } from './check-caller.ts';
import { payCustomer } from './pay-customer.ts';
import { reversePayout } from './reverse-payout.ts';
import { NO_SUCH_PATH, refuse, VodacomRefusal } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

export function createVodacomProtocol(state: VodacomState): Protocol {
  return async (request, context) => {
    try {
      return await route(state, request, context);
    } catch (error) {
      if (error instanceof VodacomRefusal) return error.answer;
      throw error;
    }
  };
}

export function createKindOfCall(state: VodacomState): KindOf {
  return ({ method, path }) => {
    const [, call = ''] = /^\/\w+\/ipg\/v2\/[^/]+\/(.+)$/.exec(path) ?? [];
    const kind = callOf(state, `${method} ${call}`);
    if (kind === 'pay') return 'submission';
    return kind === 'query' ? 'inquiry' : 'other';
  };
}

/** The path is context, market and call, and always ends in a slash. */
async function route(
  state: VodacomState,
  request: OperatorRequest,
  context: EmulatorContext,
): Promise<Answer> {
  const { settings } = state;
  const [, contextName, market, path = ''] =
    /^\/(\w+)\/ipg\/v2\/([^/]+)\/(.+)$/.exec(request.path) ?? [];
  const call = callOf(state, `${request.method} ${path}`);
  if (contextName !== settings.context || call === null) return NO_SUCH_PATH;
  if (market !== settings.market.name) throw refuse('INS-998');
  switch (call) {
    case 'session':
      return getSession(state, request);
    case 'pay':
      return payCustomer(state, request, context);
    case 'query':
      return queryStatus(state, request, context);
    case 'name':
      return queryName(state, request, context);
    case 'reversal':
      return reversePayout(state, request, context);
    default: {
      const unhandled: never = call;
      throw new Error(`unhandled call ${String(unhandled)}`);
    }
  }
}

function callOf({ settings }: VodacomState, methodAndPath: string) {
  if (methodAndPath === 'GET getSession/') return 'session';
  if (methodAndPath === 'GET queryTransactionStatus/') return 'query';
  if (methodAndPath === 'GET queryBeneficiaryName/') return 'name';
  if (methodAndPath === 'PUT reversal/') return 'reversal';
  return settings.b2cPaths.some((path) => methodAndPath === `POST ${path}`) ? 'pay' : null;
}
