import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '../kernel/test-folder.ts';
import {
  type AirtelEmulatorOptions,
  type RunningAirtelEmulator,
  startAirtelEmulator,
} from './airtel-emulator.ts';

/** Times of scripts are a thousandth: what is late by 90 s is late by 90 ms. */
const PACE = 0.001;
/** One for all of a test file: to make one takes longer than most tests. */
const KEY_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

export type TestAirtel = RunningAirtelEmulator & Readonly<{ folder: string }> & AsyncDisposable;

/** For tests: a running operator with a folder of its own, both gone at the end of the block. */
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
    pace: PACE,
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
