import {
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../kernel/emulator-server.ts';
import { createAccess } from './mtn-access.ts';
import { createMtnProtocol, kindOfMtnCall } from './mtn-protocol.ts';
import { chooseMtnSettings, type MtnChoices, type MtnSettings } from './mtn-settings.ts';
import { listenForCallbacks } from './mtn-status.ts';

type KernelOptions = Pick<
  EmulatorOptions,
  'journalPath' | 'host' | 'floatMinor' | 'deliverCallbacksTo'
>;

export type MtnEmulatorOptions = KernelOptions &
  MtnChoices &
  Readonly<{
    /** Default 0: any free port. */
    port?: number;
    /** Default 1. */
    timeScale?: number;
  }>;

/** `settings` has what a caller needs: credentials, environment, currency. */
export type MtnEmulator = RunningEmulator & Readonly<{ settings: MtnSettings }>;

/** A callback without an answer by then is given up and not retried. */
const CALLBACK_TIMEOUT_MS = 2_000;

/** MTN MoMo, the disbursement product. */
export async function startMtnEmulator(options: MtnEmulatorOptions): Promise<MtnEmulator> {
  const {
    journalPath,
    host,
    floatMinor,
    deliverCallbacksTo,
    port = 0,
    timeScale = 1,
    ...choices
  } = options;
  const settings = chooseMtnSettings(choices);
  const emulator = await startEmulator({
    name: 'mtn',
    port,
    timeScale,
    journalPath,
    protocol: createMtnProtocol(createAccess(settings, Date.now)),
    kindOf: kindOfMtnCall,
    limits: { inquiry: settings.statusCallsPerSecondMax },
    resume: (payout, context) => void listenForCallbacks(settings, payout, context),
    callbackTimeoutMs: CALLBACK_TIMEOUT_MS,
    ...(host === undefined ? {} : { host }),
    ...(floatMinor === undefined ? {} : { floatMinor }),
    ...(deliverCallbacksTo === undefined ? {} : { deliverCallbacksTo }),
  });
  return { ...emulator, settings };
}
