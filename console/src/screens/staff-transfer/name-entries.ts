import type { TimelineActor, TimelineEntry } from '../../api/transfer-types.ts';
import { shortenId } from '../../format/format-id.ts';
import { nameOutcome } from '../../texts/en/decisions.ts';
import { doubt } from '../../texts/en/doubt.ts';
import { staffTransfers } from '../../texts/en/staff-transfers.ts';
import { states } from '../../texts/en/states.ts';

/** The API's codes as the words that people read elsewhere in the console. */
export function nameEntries(
  entries: readonly TimelineEntry[],
  currency: string,
): readonly TimelineEntry[] {
  return entries.map((entry) => ({
    ...entry,
    title: nameEntry(entry),
    // Its cause says the same.
    detail: entry.kind === 'created' ? null : entry.detail,
    actor: nameActor(entry.actor),
    facts: entry.kind === 'posting' ? { ...entry.facts, currency } : entry.facts,
  }));
}

function nameEntry({ kind, title, facts }: TimelineEntry): string {
  if (kind === 'created') return staffTransfers.page.accepted;
  if (kind === 'state' && facts.state) return states[facts.state].word;
  if (kind !== 'attempt') return title;
  const said =
    typeof facts.httpStatus === 'number'
      ? doubt.known.http(facts.httpStatus)
      : doubt.known.noAnswer;
  return `${said}, ${doubt.known.taken(nameOutcome(facts.outcome ?? ''))}`;
}

/** The service itself is not named. Of a key only the id is known here. */
function nameActor(actor: TimelineActor | null): TimelineActor | null {
  if (actor?.kind === 'key' && actor.id !== null) return { ...actor, name: shortenId(actor.id) };
  const isNamed = actor?.kind === 'person' && typeof actor.name === 'string';
  return isNamed ? actor : null;
}
