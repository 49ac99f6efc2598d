import { findIn, type Leak } from './find-leaks.ts';
import type { Exchange } from './read-journals.ts';
import { type Found, report } from './violation.ts';

const CLIENT_ERROR = 400;
/** A duplicate shows the merchant's own transfer on purpose. */
const CONFLICT = 409;

/** I22: no log, no metric and no refusal has a number, a name, a narration or a secret in it. */
export function checkSecrecy(
  seen: Readonly<{
    leaks: readonly Leak[];
    exchanges: readonly Exchange[];
    canaries: readonly string[];
  }>,
  found: Found,
): void {
  for (const leak of seen.leaks) report(found, 'I22', {}, `${leak.file} tells a secret`, { leak });
  for (const { place, answered } of seen.exchanges) {
    const status = answered?.status ?? 0;
    if (status < CLIENT_ERROR || status === CONFLICT) continue;
    for (const leak of findIn(place, JSON.stringify(answered?.body), seen.canaries)) {
      report(found, 'I22', {}, 'a refusal repeats what it was given', { leak });
    }
  }
}
