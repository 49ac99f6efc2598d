import type { EventType } from '../../../service/src/events/event-types.ts';
import type { Mode } from './types.ts';

export type { EventType };

export type Webhook = Readonly<{
  id: string;
  url: string;
  /** Empty: every type. */
  events: readonly EventType[];
  status: 'enabled' | 'disabled';
  disabledReason: string | null;
  createdAt: string;
}>;

export type WebhookWithSecret = Webhook &
  Readonly<{ secret: string; previousSecretUntil?: string }>;

type Attempt = Readonly<{
  at: string;
  elapsedMs: number;
  /** Null: no answer came, and `error` says why. */
  status: number | null;
  error: string | null;
  answer: string | null;
}>;

export type Delivery = Readonly<{
  id: string;
  endpointId: string;
  eventId: string;
  eventType: EventType;
  state: 'pending' | 'delivered' | 'failed';
  attempts: readonly Attempt[];
  nextAttemptAt: string | null;
  createdAt: string;
}>;

/** Something that happened in the book: `data` is the whole subject as it was then. */
export type BookEvent = Readonly<{
  id: string;
  type: EventType;
  createdAt: string;
  mode: Mode;
  sequence: number;
  data: Readonly<Record<string, unknown>>;
}>;

export type KeyScope = 'transfers:write' | 'recipients:write' | 'read';

export type ApiKey = Readonly<{
  id: string;
  name: string;
  hint: string;
  scopes: readonly KeyScope[];
  /** Empty: from anywhere. */
  addresses: readonly string[];
  createdAt: string;
  /** Null: the staff. */
  createdBy: Readonly<{ id: string; name: string }> | null;
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
  confirmUntil: string | null;
  state: 'active' | 'awaiting_confirmation' | 'revoked' | 'expired';
}>;
