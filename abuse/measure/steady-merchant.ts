import { Agent } from 'node:http';
import { MERCHANT_ADDRESS } from '../loopback-addresses.ts';
import { type Exchange, exchange } from './exchange.ts';

const PAYOUTS_PER_SECOND = 20;
const INTERVAL_MS = 1_000 / PAYOUTS_PER_SECOND;
/** Enough for twenty seconds of payouts that all wait for their timeout, and some more. */
const SOCKETS_MAX = 512;
export const PAYOUT_MINOR = 100n;

type Payment = Exchange & Readonly<{ reference: string }>;

export type SteadyMerchant = Readonly<{
  /** Every payout that is answered or timed out, in the order of their ends. */
  payments(): readonly Payment[];
  /** Resolves when everything that was sent before now is answered or timed out. */
  settle(): Promise<void>;
  isStopped(): boolean;
  stop(): Promise<void>;
}>;

type MerchantOptions = Readonly<{
  port: () => number;
  apiKey: string;
  walletId: string;
  /** The prefix of every reference, so that two runs on one book do not collide. */
  prefix: string;
  timeoutMs: number;
}>;

/** Makes 20 payouts a second, each once and without retries. It does not wait for earlier ones. */
export function startSteadyMerchant(options: MerchantOptions): SteadyMerchant {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  const payments: Payment[] = [];
  const underWay = new Set<Promise<void>>();
  let count = 0;
  let isStopped = false;
  const pay = async (): Promise<void> => {
    count += 1;
    const reference = `${options.prefix}-${count}`;
    const result = await exchange({ ...payoutCall(options, reference), agent });
    payments.push({ ...result, reference });
  };
  const timer = setInterval(() => {
    const payment = pay().finally(() => underWay.delete(payment));
    underWay.add(payment);
  }, INTERVAL_MS);
  const settle = async (): Promise<void> => void (await Promise.all(underWay));
  return {
    payments: () => payments,
    settle,
    isStopped: () => isStopped,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await settle();
      agent.destroy();
    },
  };
}

function payoutCall({ port, apiKey, walletId, timeoutMs }: MerchantOptions, reference: string) {
  return {
    method: 'POST',
    port: port(),
    path: '/api/v1/payments/transfers/mobile-money',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: Number(PAYOUT_MINOR) / 100,
      reference,
      phone: '0977433571',
      operator: 'airtel',
      country: 'zm',
      walletId,
    }),
    timeoutMs,
    localAddress: MERCHANT_ADDRESS,
  } as const;
}
