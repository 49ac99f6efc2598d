import type { ProbeAnswer, TenancyProbe } from '../journal/exchange-record.ts';
import { isObject } from './shown-transfers.ts';
import { type Found, report } from './violation.ts';

/** Members that differ in every answer. */
const VOLATILE = ['requestId', 'nextCursor'];

/** I15: with another book's key, an existing object is answered like an unknown one. */
export function checkTenancy(probes: readonly TenancyProbe[], found: Found): void {
  for (const probe of probes) {
    if (shapeOf(probe.existing) === shapeOf(probe.unknown)) continue;
    const says =
      'with the key of another book, an existing object is answered differently from an unknown one';
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
