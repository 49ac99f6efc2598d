import { randomBytes } from 'node:crypto';

export type AccessTokens = Readonly<{
  issue(): string;
  isLive(token: string): boolean;
}>;

const TOKEN_BYTES = 16;

/** Each token works until it expires, however many were issued after it. */
export function createAccessTokens(
  now: () => number,
  { lifetimeMs }: Readonly<{ lifetimeMs: number }>,
): AccessTokens {
  const expiresAtMs = new Map<string, number>();
  const forgetExpired = (): void => {
    for (const [token, atMs] of expiresAtMs) {
      if (atMs > now()) return;
      expiresAtMs.delete(token);
    }
  };
  return {
    issue() {
      forgetExpired();
      const token = randomBytes(TOKEN_BYTES).toString('hex');
      expiresAtMs.set(token, now() + lifetimeMs);
      return token;
    },
    isLive: (token) => (expiresAtMs.get(token) ?? 0) > now(),
  };
}
