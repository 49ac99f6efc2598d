import type { EventType } from './event.ts';
import type { TimeInput, Timestamp } from './words.ts';

export type WebhookInput = Readonly<{
  /** https, to a public address. */
  url: string;
  /** Only these types; all when left out. */
  events?: readonly EventType[] | undefined;
}>;

export type WebhookChange = Readonly<{
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  /** `enabled` brings a disabled endpoint back. */
  status?: WebhookEndpoint['status'] | undefined;
}>;

/** Where you want to hear of events. */
export type WebhookEndpoint = Readonly<{
  id: string;
  url: string;
  events: readonly EventType[];
  status: 'enabled' | 'disabled';
  createdAt: Timestamp;
}>;

/** The secret is shown this once: keep it where you keep the API key. */
export type WebhookEndpointWithSecret = WebhookEndpoint & Readonly<{ secret: string }>;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One POST of an event. */
export type DeliveryAttempt = Readonly<{
  at: Timestamp;
  /** Of the answer; null when there was none. */
  status: number | null;
  durationMs: number;
  /** The first 1 KiB of the answer. */
  response: string | null;
  error: string | null;
}>;

/** What became of one event at one endpoint. */
export type Delivery = Readonly<{
  id: string;
  eventId: string;
  eventType: EventType;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  nextAttemptAt: Timestamp | null;
  createdAt: Timestamp;
}>;

export type DeliveryFilter = Readonly<{
  status?: DeliveryStatus | undefined;
  from?: TimeInput | undefined;
  to?: TimeInput | undefined;
}>;
