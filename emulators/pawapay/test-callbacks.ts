import assert from 'node:assert/strict';
import type { CallbackReceiver, ReceivedCallback } from '../kernel/callback-receiver.ts';
import { isJsonObject, type JsonObject } from '../kernel/read-json-object.ts';
import { waitUntil } from '../kernel/wait-until.ts';

/** For tests: waits for `count` callbacks and returns all that arrived. */
export async function seen(
  receiver: CallbackReceiver,
  count: number,
): Promise<readonly ReceivedCallback[]> {
  await waitUntil(`${count} callbacks`, () => receiver.seen().length >= count);
  return receiver.seen();
}

export function bodyOf(callback: ReceivedCallback | undefined): JsonObject {
  const body: unknown = JSON.parse(callback?.body ?? 'null');
  assert(isJsonObject(body));
  return body;
}
