import { type KeyStatus, type StoredKey, standingOf } from '../../merchants/find-key.ts';
import type { KEY_STATES } from '../schemas/key-schema.ts';

const STATE_OF: Readonly<Record<KeyStatus, (typeof KEY_STATES)[number]>> = {
  live: 'active',
  awaiting_confirmation: 'awaiting_confirmation',
  expired: 'expired',
  revoked: 'revoked',
};

export function renderKey(key: StoredKey, now: Date) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    addresses: key.addresses,
    createdAt: key.createdAt.toISOString(),
    createdBy: key.createdBy,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    confirmUntil: key.confirmUntil?.toISOString() ?? null,
    state: STATE_OF[standingOf(key, now)],
  };
}
