import { Secret, TOTP } from 'otpauth';

/** As RFC 6238 and every authenticator app has it by default. */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const ALGORITHM = 'SHA1';
/** RFC 4226 wants at least 128 bits and advises 160. */
const SECRET_BYTES = 20;
/** Steps before and after the present one: clocks of phones differ, and people type slowly. */
const WINDOW_STEPS = 1;
const ISSUER = 'Kafue';
const BASE32_SECRET = /^[A-Z2-7]{32}$/;
const CODE = new RegExp(`^\\d{${DIGITS}}$`);

export function createTotpSecret(randomBytes: (size: number) => Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** Whether it is a secret as `createTotpSecret` makes it. */
export function isTotpSecret(text: string): boolean {
  return BASE32_SECRET.test(text);
}

/** What an authenticator app reads from the QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/** The time step that the code belongs to; undefined: it is no code of the present steps. */
export function findTotpStep(secret: string, code: string, at: Date): bigint | undefined {
  if (!CODE.test(code)) return undefined;
  const timestamp = at.getTime();
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: WINDOW_STEPS });
  if (delta === null) return undefined;
  return BigInt(Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta);
}

/** The code that an authenticator app with this secret shows, and for how long it still does. */
export function totpCodeAt(
  secret: string,
  at: Date,
): Readonly<{ code: string; secondsLeft: number }> {
  const timestamp = at.getTime();
  const secondsPast = Math.floor(timestamp / 1_000) % PERIOD_SECONDS;
  const code = totpOf(secret, '').generate({ timestamp });
  return { code, secondsLeft: PERIOD_SECONDS - secondsPast };
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
