/** All events that a merchant can receive. */
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

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

/** An event's id consists of its subject and its number there, so it is the same everywhere. */
export function eventId({ subjectId, seq }: Readonly<{ subjectId: string; seq: number }>): string {
  return `evt_${subjectId.replaceAll('-', '')}_${seq}`;
}
