import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: a folder of its own, gone with everything in it at the end of the block. */
export async function createTestFolder(): Promise<Readonly<{ path: string }> & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'kafue-emulator-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
    },
  };
}
