import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '../kernel/test-folder.ts';
import {
  type RunningVodacomEmulator,
  startVodacomEmulator,
  type VodacomEmulatorOptions,
} from './vodacom-emulator.ts';

/** Emulated times are divided by 1,000: 90 s take 90 ms. */
const TIME_SCALE = 0.001;
/** One short key for a whole test file: generating one of the platform's size takes seconds. */
const KEY_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

export type TestVodacom = RunningVodacomEmulator & Readonly<{ folder: string }> & AsyncDisposable;

/** For tests: a running operator whose sessions work at once; closed at the end of the block. */
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
    timeScale: TIME_SCALE,
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
