import { flood } from '../attacker/flood.ts';
import { API, JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import type { Attack } from './attack.ts';

const CONNECTIONS = { short: 100, long: 1_000 } as const;
const REQUESTS = { short: 300, long: 20_000 } as const;

/** Each change locks the same row, and keeps a connection to the database while it waits for that. */
export const MANAGEMENT_WRITES: Attack = {
  id: '11',
  title: '1,000 changes of one webhook at once',
  timeMaxMs: 10_000,
  async run(attacker) {
    const { attackerKey, attackerWebhook } = attacker.target;
    const request = writeRequest({
      method: 'PATCH',
      path: `${API}/webhooks/${attackerWebhook.id}`,
      apiKey: attackerKey,
      headers: [JSON_TYPE],
      body: JSON.stringify({ url: attackerWebhook.url }),
    });
    await flood(attacker, {
      connections: CONNECTIONS[attacker.form],
      requests: REQUESTS[attacker.form],
      batch: 1,
      make: () => request,
    });
  },
};
