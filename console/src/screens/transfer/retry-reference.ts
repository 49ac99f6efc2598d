import { hashedRetry, numberedRetry } from '../../../../service/src/domain/retry-rule.ts';

/** The same as `retryReference` of the service, with the SHA-256 of the browser. A test holds both together. */
export async function retryReference(earlier: string): Promise<string> {
  return numberedRetry(earlier) ?? hashedRetry(await sha256Of(earlier));
}

async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
