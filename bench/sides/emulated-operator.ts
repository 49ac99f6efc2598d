import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startJsonProcess } from './json-process.ts';

const EMULATORS = fileURLToPath(new URL('../../emulators/main.ts', import.meta.url));
/** More than this machine can send, so that the operator's rate limit is not what is measured. */
const CALLS_PER_SECOND = '10000';
/** It confirms as soon as it has paid; a delay of a second takes ten milliseconds. */
const TIME_SCALE = '0.01';

export type EmulatedOperator = Readonly<{
  /** The route file that points to it. */
  routesFile: string;
  /** How many payouts are in its book. */
  executed(): Promise<number>;
  kill(): Promise<void>;
}>;

type Ready = Readonly<{ routesFile: string; emulators: readonly Readonly<{ url: string }>[] }>;

/** The MTN emulator in its own process, with its own flushed book. */
export async function startEmulatedOperator({
  folder,
  callbackBaseUrl,
  signal,
}: Readonly<{
  folder: string;
  callbackBaseUrl: string;
  signal: AbortSignal;
}>): Promise<EmulatedOperator> {
  const { ready, kill } = await startJsonProcess<Ready>(signal, [
    EMULATORS,
    '--only=mtn',
    '--port=0',
    '--json',
    `--time-scale=${TIME_SCALE}`,
    `--calls=${CALLS_PER_SECOND}`,
    `--folder=${join(folder, 'operators')}`,
    `--callbacks=${callbackBaseUrl}`,
  ]);
  const [emulator] = ready.emulators;
  if (emulator === undefined) throw new Error('no emulator was started');
  return {
    routesFile: ready.routesFile,
    async executed() {
      const answer = await fetch(`${emulator.url}/_emulator/health`);
      const health = (await answer.json()) as Readonly<{ executed: number }>;
      return health.executed;
    },
    kill,
  };
}
