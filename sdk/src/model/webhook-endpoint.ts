import type { EventType } from './event.ts';
import type { TimeInput, Timestamp } from './words.ts';

export type WebhookInput = Readonly<{
  /** https, to a public host name, on port 443 or 8443. */
  url: string;
  /** Only these types; every type when left out or empty. */
  events?: readonly EventType[] | undefined;
}>;

export type WebhookChange = Readonly<{
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  /** `enabled` enables a disabled endpoint. */
  status?: WebhookEndpoint['status'] | undefined;
}>;

type WhateverItsStatus = Readonly<{
  id: string;
  url: string;
  /** Empty: every type. */
  events: readonly EventType[];
  createdAt: Timestamp;
}>;

/** An address of yours to which events are sent. */
export type WebhookEndpoint = WhateverItsStatus &
  (
    | Readonly<{ status: 'enabled'; disabledReason: null }>
    | Readonly<{ status: 'disabled'; disabledReason: string }>
  );

/** The secret is shown only once: keep it where you keep the API key. */
export type WebhookEndpointWithSecret = WebhookEndpoint & Readonly<{ secret: string }>;

/** The new secret, shown only once, and until when deliveries are signed with the previous one too. */
export type WebhookEndpointWithNewSecret = WebhookEndpointWithSecret &
  Readonly<{ previousSecretUntil: Timestamp }>;

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One POST of an event. */
export type DeliveryAttempt = Readonly<{
  at: Timestamp;
  elapsedMs: number;
  /** What your receiver answered; null when it did not, and `error` says why. */
  status: number | null;
  error: string | null;
  /** The first KiB of what it answered. */
  answer: string | null;
}>;

/** One event for one endpoint, with its attempts. */
export type Delivery = Readonly<{
  id: string;
  endpointId: string;
  /** The `webhook-id` of every attempt. */
  eventId: string;
  eventType: EventType;
  state: DeliveryState;
  /** Oldest first; the latest 50. */
  attempts: readonly DeliveryAttempt[];
  /** Null once it is delivered or has failed. */
  nextAttemptAt: Timestamp | null;
  createdAt: Timestamp;
}>;

export type DeliveryFilter = Readonly<{
  state?: DeliveryState | undefined;
  /** Created at or after this time. */
  from?: TimeInput | undefined;
  /** Created before this time. */
  to?: TimeInput | undefined;
}>;

/** Which deliveries to send again; give at least one of these. */
export type ReplayRange = Readonly<{
  /** Created at or after this time. */
  from?: TimeInput | undefined;
  /** Created before this time. */
  to?: TimeInput | undefined;
  /** Only failed deliveries; left out: delivered ones too. */
  state?: 'failed' | undefined;
}>;

export type ReplayResult = Readonly<{
  /** How many are sent again: at most 10,000 in one call. */
  replayed: number;
  /** If there were more, the `from` of the next call; else null. */
  nextFrom: Timestamp | null;
}>;
