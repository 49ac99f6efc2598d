import type { Incident } from '../../api/staff-types.ts';
import { incidents as texts } from '../../texts/en/incidents.ts';

/** A code as words: `contradicting_receipt` is read as "Contradicting receipt". */
export function nameIncident({ kind }: Incident): string {
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return texts.kinds[kind] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
