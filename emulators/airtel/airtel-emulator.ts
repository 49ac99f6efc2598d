import { createHash, type KeyObject } from 'node:crypto';
import {
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../kernel/emulator-server.ts';
import { loadOrMakeKey, makeKey, publicKeyBase64 } from '../kernel/rsa-key-file.ts';
import { createAccessTokens } from './access-tokens.ts';
import { listenForEnd } from './airtel-callbacks.ts';
import { createAirtelProtocol, kindOfAirtelCall } from './airtel-protocol.ts';
import {
  AIRTEL_SETTINGS_DEFAULT,
  type AirtelCall,
  type AirtelCredentials,
  type AirtelSettings,
  type AirtelState,
  type EncryptionKey,
} from './airtel-state.ts';

export type AirtelEmulatorOptions = Omit<
  EmulatorOptions,
  'name' | 'protocol' | 'kindOf' | 'resume' | 'deduplicates' | 'operatorTransactionIdOf'
> &
  Readonly<{
    name?: string;
    credentials?: Partial<AirtelCredentials>;
    settings?: Partial<AirtelSettings>;
    /** As set in the developer portal; null: no callbacks. */
    callbackUrl?: string | null;
    /** The file of the private key; by default beside the journal. */
    keyPath?: string;
    /** The clock of tokens and keys, which run in real time, not at the emulator's time scale. */
    now?: () => number;
  }>;

export type RunningAirtelEmulator = RunningEmulator &
  Readonly<{
    credentials: AirtelCredentials;
    settings: AirtelSettings;
    setCallbackUrl(url: string | null): void;
    /** Answers such calls with that code from now on; null restores the normal answers. */
    setAnswer(call: AirtelCall, code: string | null): void;
    /** Replaces the key: what was encrypted for the old one can no longer be decrypted. */
    rotateKey(): Promise<void>;
  }>;

const CREDENTIALS_DEFAULT: AirtelCredentials = {
  clientId: 'airtel-emulator-client',
  clientSecret: 'airtel-emulator-secret',
  pin: '4321',
  callbackPrivateKey: 'airtel-emulator-callback-key',
};
const KEY_BITS = 2048;
const KEY_VALID_MS = 365 * 24 * 60 * 60 * 1000;
const FIRST_TRANSACTION_NUMBER = 18_000_000_000;

/** Airtel's Open API, disbursement: a token, an encrypted PIN, and an answer that contains the end. */
export async function startAirtelEmulator(
  options: AirtelEmulatorOptions,
): Promise<RunningAirtelEmulator> {
  const { keyPath = `${options.journalPath}.key.pem`, now = Date.now } = options;
  const state = createState(options, now, describeKey(await loadOrMakeKey(keyPath, KEY_BITS), now));
  const emulator = await startEmulator({
    ...options,
    name: options.name ?? 'airtel',
    protocol: createAirtelProtocol(state),
    kindOf: kindOfAirtelCall,
    resume: (payout, context) => void listenForEnd(state, context, payout),
    operatorTransactionIdOf: (number) => String(FIRST_TRANSACTION_NUMBER + number),
  });
  return {
    ...emulator,
    credentials: state.credentials,
    settings: state.settings,
    setCallbackUrl(url) {
      state.callbackUrl = url;
    },
    setAnswer(call, code) {
      if (code === null) state.forcedCodes.delete(call);
      else state.forcedCodes.set(call, code);
    },
    async rotateKey() {
      state.encryptionKey = describeKey(await makeKey(keyPath, KEY_BITS), now);
    },
  };
}

function createState(
  { credentials, settings: changed, callbackUrl = null }: AirtelEmulatorOptions,
  now: () => number,
  encryptionKey: EncryptionKey,
): AirtelState {
  const settings = { ...AIRTEL_SETTINGS_DEFAULT, ...changed };
  return {
    settings,
    credentials: { ...CREDENTIALS_DEFAULT, ...credentials },
    tokens: createAccessTokens(now, { lifetimeMs: settings.tokenLifetimeSeconds * 1000 }),
    now,
    forcedCodes: new Map(),
    recentPayouts: new Map(),
    encryptionKey,
    callbackUrl,
  };
}

function describeKey(privateKey: KeyObject, now: () => number): EncryptionKey {
  const digest = createHash('sha256').update(publicKeyBase64(privateKey)).digest('hex');
  return { id: digest.slice(0, 32), privateKey, validUpToMs: now() + KEY_VALID_MS };
}
