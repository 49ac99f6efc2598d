import { isInForce, type ListEntry } from '../../lists/list-entry.ts';

export function renderEntry(entry: ListEntry, now: Date) {
  return {
    id: entry.id,
    list: entry.list,
    phone: entry.phone,
    reason: entry.reason,
    author: entry.author,
    createdAt: entry.createdAt.toISOString(),
    expiresAt: entry.expiresAt?.toISOString() ?? null,
    endedAt: entry.endedAt?.toISOString() ?? null,
    endedBy: entry.endedBy,
    endReason: entry.endReason,
    inForce: isInForce(entry, now),
  };
}
