import { setTimeout as pause } from 'node:timers/promises';

/** What a client records of one transfer that it sent. */
export type Asked = {
  readonly reference: string;
  /** The id in the 201, if there was one. */
  acknowledged: string | undefined;
  /** When, by the clock of `performance.now()`. */
  acknowledgedMs: number | undefined;
  answers: number[];
};

export type LoadTarget = Readonly<{
  baseUrl: () => string;
  key: string;
  walletId: string;
  /** Airtel's, unless given. */
  recipient?: Recipient;
}>;
type Recipient = Readonly<{ operator: string; phone: string }>;

export type LoadOptions = Readonly<{
  clients: number;
  prefix: string;
  /** How long a client waits after each payout: none, unless given. */
  pauseMs?: number;
}>;

export type PayoutLoad = Readonly<{ asked: readonly Asked[]; stop(): Promise<void> }>;

/** How long a client waits before it retries a service that is down. */
const RETRY_MS = 50;
const AIRTEL: Recipient = { operator: 'airtel', phone: '0977433571' };

/**
 * Clients that pay one transfer after the other, record every answer, and repeat a request that got none, as a merchant
 * should.
 */
export function startPayoutLoad(
  target: LoadTarget,
  { clients, prefix, pauseMs = 0 }: LoadOptions,
): PayoutLoad {
  const asked: Asked[] = [];
  let stopping = false;

  async function runClient(client: number): Promise<void> {
    for (let n = 0; !stopping; n += 1) {
      const entry: Asked = {
        reference: `${prefix}-${client}-${n}`,
        acknowledged: undefined,
        acknowledgedMs: undefined,
        answers: [],
      };
      asked.push(entry);
      await payUntilAnswered(entry);
      if (pauseMs > 0) await pause(pauseMs);
    }
  }

  async function payUntilAnswered(entry: Asked): Promise<void> {
    while (!stopping) {
      const answer = await pay(target, entry.reference);
      if (answer !== undefined) entry.answers.push(answer.status);
      if (answer?.status === 201) {
        entry.acknowledged = answer.id;
        entry.acknowledgedMs = performance.now();
      }
      // 409: an earlier try was stored although its answer was lost.
      if (answer?.status === 201 || answer?.status === 409) return;
      await pause(RETRY_MS);
    }
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  return {
    asked,
    async stop() {
      stopping = true;
      await running;
    },
  };
}

type Answer = Readonly<{ status: number; id: string | undefined }>;

async function pay(target: LoadTarget, reference: string): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${target.baseUrl()}/api/v1/payments/transfers/mobile-money`, {
      method: 'POST',
      headers: { 'x-api-key': target.key, 'content-type': 'application/json' },
      body: JSON.stringify({
        amount: 0.01,
        reference,
        ...(target.recipient ?? AIRTEL),
        country: 'zm',
        walletId: target.walletId,
      }),
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await response.json()) as { data?: { id?: string } };
    return { status: response.status, id: body.data?.id };
  } catch {
    return undefined;
  }
}
