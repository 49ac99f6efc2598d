import type { KeyObject } from 'node:crypto';
import type { BookEntry } from '../kernel/behaviour.ts';
import {
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../kernel/emulator-server.ts';
import { type Journal, openJournal } from '../kernel/journal.ts';
import { createRecentItems } from '../kernel/recent-items.ts';
import { loadOrMakeKey, publicKeyBase64 } from '../kernel/rsa-key-file.ts';
import { createPayoutIndex, type PayoutIndex } from './payout-index.ts';
import { listenForEnd } from './post-result.ts';
import { createReversals } from './reversals.ts';
import { createSessions } from './sessions.ts';
import { createKindOfCall, createVodacomProtocol } from './vodacom-protocol.ts';
import {
  type Acknowledgement,
  VODACOM_SETTINGS_DEFAULT,
  type VodacomCall,
  type VodacomCredentials,
  type VodacomSettings,
  type VodacomState,
} from './vodacom-state.ts';

export type VodacomEmulatorOptions = Omit<
  EmulatorOptions,
  'name' | 'protocol' | 'resume' | 'deduplicates' | 'operatorTransactionIdOf'
> &
  Readonly<{
    name?: string;
    credentials?: Partial<Omit<VodacomCredentials, 'publicKey'>>;
    settings?: Partial<VodacomSettings>;
    /** Where asynchronous results are posted; null: they are not posted. */
    responseUrl?: string | null;
    /** The file of the platform's private key; by default beside the journal. */
    keyPath?: string;
    /** Default 4096, as on the real platform. A shorter key makes every call several times cheaper. */
    keyBits?: number;
    /** The clock of sessions, which run in real time. */
    now?: () => number;
  }>;

export type RunningVodacomEmulator = RunningEmulator &
  Readonly<{
    credentials: VodacomCredentials;
    settings: VodacomSettings;
    setResponseUrl(url: string | null): void;
    /** Answers such calls with that code from now on; null restores the normal answers. */
    setAnswer(call: VodacomCall, code: string | null): void;
    /** The receivers' answers to the last results. */
    acknowledgements(): readonly Acknowledgement[];
    /** All reversals, in order. */
    reversals(): readonly BookEntry[];
  }>;

const CREDENTIALS_DEFAULT = {
  apiKey: 'vodacomEmulatorApiKey0123456789ab',
  serviceProviderCode: '000000',
};
const KEY_BITS_DEFAULT = 4096;
const ACKNOWLEDGEMENTS_KEPT_MAX = 20_000;

/** The M-Pesa Open API: RSA-encrypted sessions, and payouts whose end is answered or posted later. */
export async function startVodacomEmulator(
  options: VodacomEmulatorOptions,
): Promise<RunningVodacomEmulator> {
  const { journalPath, keyBits = KEY_BITS_DEFAULT } = options;
  const { keyPath = `${journalPath}.key.pem` } = options;
  const privateKey = await loadOrMakeKey(keyPath, keyBits);
  const index = await readIndex(journalPath);
  const reversalJournal = await openJournal(`${journalPath}.reversals`);
  const acknowledgements = createRecentItems<Acknowledgement>(ACKNOWLEDGEMENTS_KEPT_MAX);
  const acknowledge = acknowledgements.add;
  const state = createState(options, { privateKey, index, reversalJournal, acknowledge });
  const emulator = await startEmulator({
    ...options,
    name: options.name ?? 'vodacom',
    protocol: createVodacomProtocol(state),
    kindOf: createKindOfCall(state),
    resume: (payout, context) => void listenForEnd(state, context, payout),
    operatorTransactionIdOf: (number) => `MP${String(number).padStart(10, '0')}`,
  });
  return {
    ...emulator,
    credentials: state.credentials,
    settings: state.settings,
    setResponseUrl(url) {
      state.responseUrl = url;
    },
    setAnswer(call, code) {
      if (code === null) state.forcedCodes.delete(call);
      else state.forcedCodes.set(call, code);
    },
    acknowledgements: acknowledgements.all,
    reversals: state.reversals.all,
    async close() {
      await emulator.close();
      await reversalJournal.close();
    },
  };
}

async function readIndex(journalPath: string): Promise<PayoutIndex> {
  const journal = await openJournal(journalPath);
  await journal.close();
  return createPayoutIndex(journal.earlier);
}

type Parts = Readonly<{
  privateKey: KeyObject;
  index: PayoutIndex;
  reversalJournal: Journal;
  acknowledge: VodacomState['acknowledge'];
}>;

function createState(
  options: VodacomEmulatorOptions,
  { privateKey, index, reversalJournal, acknowledge }: Parts,
): VodacomState {
  const { timeScale, now = Date.now, responseUrl = null } = options;
  const settings = { ...VODACOM_SETTINGS_DEFAULT, ...options.settings };
  return {
    settings,
    credentials: {
      ...CREDENTIALS_DEFAULT,
      ...options.credentials,
      publicKey: publicKeyBase64(privateKey),
    },
    privateKey,
    sessions: createSessions(now, {
      activationMs: settings.sessionActivationMs * timeScale,
      lifetimeMs: settings.sessionLifetimeMs,
    }),
    index,
    reversals: createReversals(reversalJournal),
    forcedCodes: new Map(),
    acknowledge,
    responseUrl,
  };
}
