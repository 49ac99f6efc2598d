import type { Screener } from '../../screening/screener.ts';

export function renderScreener({ id, name, url, deadlineMs, createdBy, createdAt }: Screener) {
  return { id, name, url, deadlineMs, createdBy, createdAt: createdAt.toISOString() };
}
