import type { ActFacts } from '../acts/act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Endpoint } from './endpoint.ts';

/** Who changes something about the webhooks of a book, and whose book it is. */
export type WebhookActor = Readonly<{ actor: Actor; merchantId: string }>;

/** What an endpoint is, for the record of acts. Without the query of its URL, which may hold a secret. */
export function endpointFacts({ url, events, status }: Endpoint): ActFacts {
  const { origin, pathname } = new URL(url);
  return { url: origin + pathname, events, status };
}
