import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: a temporary folder that is deleted with its content at the end of the block. */
export async function createTestFolder(): Promise<Readonly<{ path: string }> & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'kafue-emulator-'));
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
    },
  };
}
