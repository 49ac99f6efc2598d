import type { EventType } from '../events/event-types.ts';

export type ShownEndpoint = Readonly<{
  id: string;
  url: string;
  /** Empty: every type. */
  events: readonly EventType[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  createdAt: Date;
}>;

/** A webhook endpoint as merchants see it, without its secret. */
export function renderEndpoint(endpoint: ShownEndpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    createdAt: endpoint.createdAt.toISOString(),
  };
}
