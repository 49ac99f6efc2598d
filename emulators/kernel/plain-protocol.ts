import { type Answer, answerJson, type OperatorRequest } from './answer.ts';
import type { Payout } from './behaviour.ts';
import type { KindOf } from './call-limiter.ts';
import type { EmulatorContext } from './emulator-context.ts';

/**
 * A minimal protocol for the kernel's own tests: POST /pay with
 * `{reference, msisdn, amountMinor, callbackUrl?}`, GET /pay/{reference}.
 */
export async function plainProtocol(
  { method, path, body }: OperatorRequest,
  context: EmulatorContext,
): Promise<Answer | 'hang'> {
  if (method === 'POST' && path === '/pay') return pay(context, JSON.parse(body.toString('utf8')));
  if (method === 'GET' && path.startsWith('/pay/')) return inquire(context, path.slice(5));
  if (path === '/silence') return 'hang';
  if (path === '/bug') throw new Error('a bug of the protocol');
  return answerJson(404, { says: 'no such path' });
}

export const kindOfPlainCall: KindOf = ({ method, path }) => {
  if (method === 'POST' && path === '/pay') return 'submission';
  return method === 'GET' && path.startsWith('/pay/') ? 'inquiry' : 'other';
};

export function listenToPlainPayout(payout: Payout, context: EmulatorContext): Promise<void> {
  const url = payout.extra['callbackUrl'];
  if (typeof url !== 'string') return Promise.resolve();
  return context.backend.onEnd(payout, async (notice) => {
    const headers = { 'content-type': 'application/json' };
    await context.sendCallback({ method: 'POST', url, headers, body: JSON.stringify(notice) });
  });
}

async function pay(
  context: EmulatorContext,
  order: Readonly<{
    reference: string;
    msisdn: string;
    amountMinor: string;
    callbackUrl?: string;
  }>,
): Promise<Answer> {
  const { kind, payout } = await context.backend.submit({
    ourReference: order.reference,
    msisdn: order.msisdn,
    amountMinor: BigInt(order.amountMinor),
    currency: 'ZMW',
    extra: order.callbackUrl === undefined ? {} : { callbackUrl: order.callbackUrl },
  });
  if (kind === 'duplicate') return answerJson(409, { says: 'known' });
  await listenToPlainPayout(payout, context);
  return {
    ...answerJson(200, { says: context.backend.statusOf(payout) }),
    submission: {
      payout,
      http500: answerJson(500, { says: 'broken' }),
      http400: answerJson(400, { says: 'bad' }),
      tokenExpired: answerJson(401, { says: 'expired' }),
    },
  };
}

function inquire({ backend }: EmulatorContext, reference: string): Answer {
  const payout = backend.find(reference);
  const inquiry = payout === undefined ? { kind: 'unknown' as const } : backend.inquire(payout);
  switch (inquiry.kind) {
    case 'down':
      return answerJson(503, {});
    case 'unknown':
      return answerJson(404, {});
    case 'known':
      return answerJson(200, { ...inquiry, amountMinor: String(inquiry.amountMinor) });
    default: {
      const unhandled: never = inquiry;
      throw new Error(`unhandled inquiry ${String(unhandled)}`);
    }
  }
}
