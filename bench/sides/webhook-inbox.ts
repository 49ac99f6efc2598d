import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startJsonProcess } from './json-process.ts';

const RECEIVER = fileURLToPath(new URL('./webhook-receiver.ts', import.meta.url));
const POLL_EVERY_MS = 50;
const PATIENCE_MS = 120_000;

type Received = Readonly<{
  /** Different events. */
  events: number;
  latestAtMs: number;
}>;

export type WebhookInbox = Readonly<{
  url: string;
  waitFor(events: number): Promise<Received>;
  kill(): Promise<void>;
}>;

/** A merchant's server that receives webhooks, in its own process. */
export async function startWebhookInbox(signal: AbortSignal): Promise<WebhookInbox> {
  const { ready, kill } = await startJsonProcess<Readonly<{ url: string }>>(signal, [RECEIVER]);
  const read = async () => (await (await fetch(ready.url)).json()) as Received;
  return {
    url: ready.url,
    async waitFor(events) {
      const deadlineMs = performance.now() + PATIENCE_MS;
      for (;;) {
        const received = await read();
        if (received.events >= events) return received;
        if (performance.now() > deadlineMs) {
          throw new Error(`${received.events} events came, but there are ${events}`);
        }
        await wait(POLL_EVERY_MS, undefined, { signal });
      }
    },
    kill,
  };
}
