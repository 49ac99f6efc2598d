import type { ProbeAnswer, TenancyProbe } from '../journal/exchange-record.ts';
import { isObject } from './sightings.ts';
import { type Found, report } from './violation.ts';

/** What is new in every answer. */
const VOLATILE = ['requestId', 'nextCursor'];

/** I15: to somebody else's key an object answers as one that does not exist. */
export function checkTenancy(probes: readonly TenancyProbe[], found: Found): void {
  for (const probe of probes) {
    if (shapeOf(probe.asked) === shapeOf(probe.unknown)) continue;
    const says = 'a key of another book is answered otherwise than about nothing at all';
    report(found, 'I15', {}, says, { probe });
  }
}

function shapeOf({ status, body }: ProbeAnswer): string {
  return JSON.stringify([status, strip(body)]);
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !VOLATILE.includes(name))
      .map(([name, member]) => [name, strip(member)]),
  );
}
