import { withoutPutOff } from '../cells/move/moving-work.ts';
import { type EventType, eventId } from '../events/event-types.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export function isDeliveryState(text: string): text is DeliveryState {
  return (DELIVERY_STATES as readonly string[]).includes(text);
}

/** One POST of a delivery that was made, or that could not be made. */
export type AttemptMade = Readonly<{
  at: Date;
  elapsedMs: number;
  /** Null: there was no response, and `error` says why. */
  status: number | null;
  error: string | null;
  /** The beginning of the receiver's response. */
  answer: string | null;
}>;

/** One event for one endpoint, and its result. */
export type Delivery = Readonly<{
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  state: DeliveryState;
  attempts: readonly AttemptMade[];
  nextAttemptAt: Date | null;
  createdAt: Date;
}>;

/** The columns of a delivery as `d`, with its event as `v`. */
export const DELIVERY_COLUMNS = `
  d.id, d.endpoint_id, d.subject_id, d.event_seq, v.type, d.state, d.next_attempt_at, d.created_at`;

/** Enumerated columns have enumerated types, which the CHECK constraints of the table guarantee. */
export type DeliveryRow = {
  id: string;
  endpoint_id: string;
  subject_id: string;
  event_seq: number;
  type: EventType;
  state: DeliveryState;
  next_attempt_at: Date | null;
  created_at: Date;
};

export function toDelivery(row: DeliveryRow, attempts: readonly AttemptMade[]): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: eventId({ subjectId: row.subject_id, seq: row.event_seq }),
    eventType: row.type,
    state: row.state,
    attempts,
    nextAttemptAt: withoutPutOff(row.next_attempt_at),
    createdAt: row.created_at,
  };
}
