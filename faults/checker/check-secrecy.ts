import { findIn, type Leak } from './find-leaks.ts';
import type { Exchange } from './read-journals.ts';
import { type Found, report } from './violation.ts';

const CLIENT_ERROR = 400;
/** Excluded, because a duplicate answer shows the merchant's own transfer on purpose. */
const CONFLICT = 409;

/** I22: no log, metric or refusal contains a number, a name, a narration or a secret. */
export function checkSecrecy(
  seen: Readonly<{
    leaks: readonly Leak[];
    exchanges: readonly Exchange[];
    canaries: readonly string[];
  }>,
  found: Found,
): void {
  for (const leak of seen.leaks)
    report(found, 'I22', {}, `${leak.file} contains a secret or personal data`, { leak });
  for (const { place, answered } of seen.exchanges) {
    const status = answered?.status ?? 0;
    if (status < CLIENT_ERROR || status === CONFLICT) continue;
    for (const leak of findIn(place, JSON.stringify(answered?.body), seen.canaries)) {
      report(found, 'I22', {}, 'a refusal repeats values of the request', { leak });
    }
  }
}
