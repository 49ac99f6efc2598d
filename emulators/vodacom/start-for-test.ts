import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '../kernel/test-folder.ts';
import {
  type RunningVodacomEmulator,
  startVodacomEmulator,
  type VodacomEmulatorOptions,
} from './vodacom-emulator.ts';

/** Times of scripts are a thousandth: what is late by 90 s is late by 90 ms. */
const PACE = 0.001;
/** One for all of a test file, and a short one: the platform's own takes seconds to make. */
const KEY_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

export type TestVodacom = RunningVodacomEmulator & Readonly<{ folder: string }> & AsyncDisposable;

/** For tests: a running operator whose sessions are live at once; gone at the end of the block. */
export async function startVodacomForTest(
  options: Partial<VodacomEmulatorOptions> = {},
): Promise<TestVodacom> {
  const folder = await createTestFolder();
  const keyPath = join(folder.path, 'key.pem');
  await writeFile(keyPath, KEY_PEM);
  const emulator = await startVodacomEmulator({
    port: 0,
    journalPath: join(folder.path, 'vodacom.jsonl'),
    keyPath,
    pace: PACE,
    ...options,
    settings: { sessionActivationMs: 0, ...options.settings },
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
