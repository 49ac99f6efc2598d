import type { Passkey } from '../../people/find-factors.ts';

/** As PasskeyObject says. */
export function renderPasskey({ id, name, createdAt, lastUsedAt }: Passkey): object {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
