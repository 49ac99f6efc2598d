import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createTestFolder } from '../kernel/test-folder.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { createMtnClient, type HttpAnswer, type MtnClient, memberOf } from './mtn-client.ts';
import { type MtnEmulator, type MtnEmulatorOptions, startMtnEmulator } from './mtn-emulator.ts';

export type MtnTestEmulator = Readonly<{ emulator: MtnEmulator; client: MtnClient }> &
  AsyncDisposable;

/** For tests: an emulator a thousand times faster than real time, with a client that has its credentials. */
export async function startForTest(
  options: Partial<MtnEmulatorOptions> = {},
): Promise<MtnTestEmulator> {
  const folder = await createTestFolder();
  const emulator = await startMtnEmulator({
    journalPath: join(folder.path, 'mtn.jsonl'),
    timeScale: 0.001,
    ...options,
  });
  return {
    emulator,
    client: await createMtnClient(emulator),
    async [Symbol.asyncDispose]() {
      await emulator.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export function codeOf({ json }: HttpAnswer): unknown {
  return memberOf(json, 'code');
}

/** A transfer under a new reference. */
export async function transferAs(
  { client }: MtnTestEmulator,
  fields: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Readonly<{ reference: string; seen: HttpAnswer }>> {
  const reference = randomUUID();
  const seen = await client.transfer(fields, {
    headers: { 'x-reference-id': reference, ...headers },
  });
  return { reference, seen };
}

/** Waits until the status is final, and returns it. */
export async function endOf({ client }: MtnTestEmulator, reference: string): Promise<unknown> {
  let seen: unknown;
  await waitUntil('the transfer has ended', async () => {
    seen = (await client.status(reference)).json;
    const status = memberOf(seen, 'status');
    return status === 'SUCCESSFUL' || status === 'FAILED';
  });
  return seen;
}
