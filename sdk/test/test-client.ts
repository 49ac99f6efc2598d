import assert from 'node:assert/strict';
import { KafueError } from '../src/kafue-error.ts';
import { createTransport, type Transport, type TransportSettings } from '../src/transport.ts';

export type TestTransport = Readonly<{
  transport: Transport;
  /** How long it would have waited before each retry. */
  pausesMs: readonly number[];
}>;

/** The real transport over real HTTP, but it never stands still, and its keys are counted. */
export function createTestTransport(
  settings: Partial<TransportSettings> & Pick<TransportSettings, 'baseUrl'>,
): TestTransport {
  const pausesMs: number[] = [];
  let keys = 0;
  const transport = createTransport(
    {
      fetch: (url, init) => globalThis.fetch(url, init),
      now: () => Date.parse('2026-11-15T08:00:00Z'),
      random: () => 0,
      newIdempotencyKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
      pause: async (ms) => {
        pausesMs.push(ms);
      },
    },
    { credentials: { 'x-api-key': 'sk_test_key' }, timeoutMs: 5_000, retriesMax: 2, ...settings },
  );
  return { transport, pausesMs };
}

/** The KafueError that the call ends with; anything else fails the test. */
export async function errorOf(call: Promise<unknown>): Promise<KafueError> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  assert.ok('error' in result, 'the call should have failed');
  assert.ok(result.error instanceof KafueError, String(result.error));
  return result.error;
}
