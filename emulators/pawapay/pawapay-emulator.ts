import { type RunningEmulator, startEmulator } from '../kernel/emulator-server.ts';
import { SWITCH_PREFIX, switchAvailability } from './account-switches.ts';
import { keepCredentials, type PawapayCredentials } from './credentials.ts';
import { openEnqueuedPayouts } from './enqueued-payouts.ts';
import {
  type AccountOptions,
  checkUrl,
  type MerchantAccount,
  openAccount,
} from './merchant-account.ts';
import { createPawapayProtocol, kindOfPawapayCall } from './pawapay-protocol.ts';
import type { Availability } from './providers.ts';
import { sendPayoutCallbacks } from './send-payout-callbacks.ts';

export type PawapayEmulatorOptions = AccountOptions &
  Readonly<{
    name?: string;
    /** Default 0: any free port. */
    port?: number;
    host?: string;
    /** The operator's book. The files of enqueued payouts and credentials are beside it. */
    journalPath: string;
    /** All times are multiplied by it: 1 is real time, 0.01 is a hundred times faster. */
    timeScale?: number;
    /** Default: those of the earlier run with this journal, or new ones. */
    credentials?: PawapayCredentials;
    /** The initial balance of each country's wallet. */
    floatMinor?: bigint;
    callbackTimeoutMs?: number;
    /** Where callbacks are delivered when the callback URL names a public host. */
    deliverCallbacksTo?: string;
  }>;

export type PawapayEmulator = RunningEmulator &
  Readonly<{
    credentials: PawapayCredentials;
    /** Resolves when payouts of providers that work again have left the queue. */
    setAvailability(changes: Availability): Promise<void>;
    /** Null: callbacks are no longer sent. */
    setCallbackUrl(url: string | null): void;
  }>;

const NAME = 'pawapay';
const ANY_FREE_PORT = 0;
const REAL_TIME = 1;
const QUEUE_SUFFIX = '.enqueued';
const CREDENTIALS_SUFFIX = '.credentials';

/** Starts an emulator of one pawaPay account, with version 2 of the merchant API. */
export async function startPawapayEmulator(
  options: PawapayEmulatorOptions,
): Promise<PawapayEmulator> {
  const { journalPath } = options;
  const credentials =
    options.credentials ?? (await keepCredentials(`${journalPath}${CREDENTIALS_SUFFIX}`));
  const enqueued = await openEnqueuedPayouts(`${journalPath}${QUEUE_SUFFIX}`);
  try {
    const account = openAccount(options, { credentials, enqueued });
    const running = await startEmulator({
      name: NAME,
      port: ANY_FREE_PORT,
      timeScale: REAL_TIME,
      ...options,
      protocol: createPawapayProtocol(account),
      kindOf: kindOfPawapayCall,
      resume: (payout, context) => void sendPayoutCallbacks(account, context, payout),
    });
    const emulator = { ...running, ...controlsOf(account, running) };
    await resumeQueue(account, emulator);
    return emulator;
  } catch (error) {
    await enqueued.close();
    throw error;
  }
}

/** Continues payouts that an earlier run enqueued, unless their provider is still delayed. */
async function resumeQueue(
  { enqueued }: MerchantAccount,
  { backend, setAvailability }: PawapayEmulator,
): Promise<void> {
  for (const { payoutId } of enqueued.all()) {
    if (backend.find(payoutId) !== undefined) enqueued.remove(payoutId);
  }
  if (enqueued.all().length > 0) await setAvailability({});
}

function controlsOf(account: MerchantAccount, running: RunningEmulator) {
  return {
    credentials: account.credentials,
    async setAvailability(changes: Availability): Promise<void> {
      // The kernel passes its context only with requests, so a first request may be needed.
      if (account.context === null) await fetch(`${running.url}${SWITCH_PREFIX}availability`);
      if (account.context === null) throw new Error('the emulator does not answer');
      await switchAvailability(account, account.context, changes);
    },
    setCallbackUrl(url: string | null): void {
      account.callbackUrl = url === null ? null : checkUrl(url);
    },
    async close(): Promise<void> {
      account.closed = true;
      await running.close();
      await account.enqueued.close();
    },
  };
}
