import type { NotSubmittedFile, SubmittedFile } from './payout-file.ts';
import type { Recipient } from './recipient.ts';
import type { Transfer } from './transfer.ts';
import type { Wallet } from './wallet.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Mode, Timestamp } from './words.ts';

export const EVENT_TYPES = [
  'transfer.created',
  'transfer.awaiting_approval',
  'transfer.approved',
  'transfer.approval_impossible',
  'transfer.submitted',
  'transfer.in_doubt',
  'transfer.successful',
  'transfer.failed',
  'transfer.cancelled',
  'transfer.reversed',
  'recipient.created',
  'recipient.resolved',
  'wallet.low_balance',
  'payout_file.not_submitted',
  'payout_file.awaiting_approval',
  'payout_file.approval_impossible',
  'payout_file.scheduled',
  'payout_file.paying',
  'payout_file.done',
  'payout_file.cancelled',
  'webhook.disabled',
  'webhook.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

type Happening<Type extends EventType, Subject> = Readonly<{
  /** The same on every delivery: remember it, and an event that comes twice is handled once. */
  id: string;
  type: Type;
  createdAt: Timestamp;
  mode: Mode;
  /** From 1 for each object. Order is not promised: a lower one that comes later is older. */
  sequence: number;
  /** The whole object as it was then. */
  data: Subject;
}>;

export type TransferEvent = Happening<Extract<EventType, `transfer.${string}`>, Transfer>;
export type RecipientEvent = Happening<Extract<EventType, `recipient.${string}`>, Recipient>;
export type WalletEvent = Happening<'wallet.low_balance', Wallet>;
export type PayoutFileEvent = Happening<
  Exclude<Extract<EventType, `payout_file.${string}`>, 'payout_file.not_submitted'>,
  SubmittedFile
>;
export type PayoutFileNotSubmittedEvent = Happening<'payout_file.not_submitted', NotSubmittedFile>;
export type EndpointDisabledEvent = Happening<'webhook.disabled', WebhookEndpoint>;
/** It carries a made-up transfer, by which no money moved. */
export type TestEvent = Happening<'webhook.test', Transfer>;

/** Compare `type`, and TypeScript knows what `data` is. New types may come: pass over unknown ones. */
export type KafueEvent =
  | TransferEvent
  | RecipientEvent
  | WalletEvent
  | PayoutFileEvent
  | PayoutFileNotSubmittedEvent
  | EndpointDisabledEvent
  | TestEvent;

export type EventFilter = Readonly<{ type?: EventType | undefined }>;
