import {
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../kernel/emulator-server.ts';
import { createZamtelProtocol } from './zamtel-protocol.ts';
import {
  chooseZamtelSettings,
  type ZamtelChoices,
  type ZamtelSettings,
} from './zamtel-settings.ts';

type KernelOptions = Pick<EmulatorOptions, 'journalPath' | 'host' | 'floatMinor'>;

export type ZamtelEmulatorOptions = KernelOptions &
  ZamtelChoices &
  Readonly<{
    /** Default 0: any free port. */
    port?: number;
    /** Default 1. */
    timeScale?: number;
  }>;

/** `settings` has what a caller needs: credentials and base path. */
export type ZamtelEmulator = RunningEmulator & Readonly<{ settings: ZamtelSettings }>;

/** Zamtel's HTTP facade. It does not deduplicate: the same reference sent again is paid again. */
export async function startZamtelEmulator(options: ZamtelEmulatorOptions): Promise<ZamtelEmulator> {
  const { journalPath, host, floatMinor, port = 0, timeScale = 1, ...choices } = options;
  const settings = chooseZamtelSettings(choices);
  const emulator = await startEmulator({
    name: 'zamtel',
    port,
    timeScale,
    journalPath,
    protocol: createZamtelProtocol(settings),
    kindOf: ({ path }) => (path === `${settings.basePath}/B2CReq` ? 'submission' : 'other'),
    deduplicates: false,
    operatorTransactionIdOf: (number) => `ZM${String(number).padStart(10, '0')}`,
    ...(host === undefined ? {} : { host }),
    ...(floatMinor === undefined ? {} : { floatMinor }),
  });
  return { ...emulator, settings };
}
