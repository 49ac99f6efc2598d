import { describeCause } from '../domain/cause.ts';
import type { Mode } from '../domain/transfer.ts';
import type { EventType } from '../events/event-types.ts';
import type { DeliverableEndpoint, Endpoint } from './endpoint.ts';

/** The columns of an endpoint as `e`. */
export const ENDPOINT_COLUMNS = `
  e.book_id, e.id, e.url, e.events, e.status, e.disabled_reason, e.created_at`;

/** Enumerated columns have enumerated types: only validated values are ever stored. */
export type EndpointRow = {
  book_id: string;
  id: string;
  url: string;
  events: EventType[];
  status: 'enabled' | 'disabled';
  disabled_reason: string | null;
  created_at: Date;
};

export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    bookId: row.book_id,
    id: row.id,
    url: row.url,
    events: row.events,
    status: row.status,
    disabledReason: row.disabled_reason === null ? null : describeCause(row.disabled_reason),
    createdAt: row.created_at,
  };
}

/** The columns that sending needs, of an endpoint as `e` and of its book as `b`. */
export const DELIVERABLE_COLUMNS = `
  e.book_id, e.id, b.mode, e.url, e.secret_sealed, e.previous_secret_sealed,
  e.previous_secret_until`;

export type DeliverableRow = {
  book_id: string;
  id: string;
  mode: Mode;
  url: string;
  secret_sealed: Uint8Array;
  previous_secret_sealed: Uint8Array | null;
  previous_secret_until: Date | null;
};

export function toDeliverable(row: DeliverableRow): DeliverableEndpoint {
  return {
    bookId: row.book_id,
    id: row.id,
    mode: row.mode,
    url: row.url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    previousSecretUntil: row.previous_secret_until,
  };
}
