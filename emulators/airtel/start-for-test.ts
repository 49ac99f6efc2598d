import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '../kernel/test-folder.ts';
import {
  type AirtelEmulatorOptions,
  type RunningAirtelEmulator,
  startAirtelEmulator,
} from './airtel-emulator.ts';

/** Emulated times are divided by 1,000: 90 s take 90 ms. */
const TIME_SCALE = 0.001;
/** One key for a whole test file: generating one takes longer than most tests. */
const KEY_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

export type TestAirtel = RunningAirtelEmulator & Readonly<{ folder: string }> & AsyncDisposable;

/** For tests: a running operator with its own folder; both are removed at the end of the block. */
export async function startAirtelForTest(
  options: Partial<AirtelEmulatorOptions> = {},
): Promise<TestAirtel> {
  const folder = await createTestFolder();
  const keyPath = join(folder.path, 'key.pem');
  await writeFile(keyPath, KEY_PEM);
  const emulator = await startAirtelEmulator({
    port: 0,
    journalPath: join(folder.path, 'airtel.jsonl'),
    keyPath,
    timeScale: TIME_SCALE,
    ...options,
  });
  return {
    ...emulator,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
