import type { RecordedAct } from './list-acts.ts';

type ShownActor = Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }>;

/** What a merchant sees of an act. */
type MerchantAct = Omit<RecordedAct, 'actor' | 'merchant'> & Readonly<{ actor: ShownActor }>;

/** Merchants know the staff and the machine by one name. */
const STAFF: ShownActor = { kind: 'person', id: null, name: 'Kafue staff' };
const SERVICE: ShownActor = { kind: 'system', id: null, name: 'Kafue' };
/** Acts of the staff on a merchant's own settings show their facts. Other acts may name routes and evidence. */
const STAFF_FACTS_SHOWN = /^(KEY|WALLET|FEES|LOW_BALANCE|MERCHANT|WEBHOOK|DELIVER)/;

/** Hides from a merchant which person of the staff acted, why, and what concerns the company alone. */
export function actForMerchant(act: RecordedAct): MerchantAct {
  const actor = showActor(act.actor);
  const showsFacts = actor !== STAFF || STAFF_FACTS_SHOWN.test(act.kind);
  return {
    id: act.id,
    at: act.at,
    actor,
    kind: act.kind,
    subject: act.subject,
    bookId: act.bookId,
    reason: actor === STAFF ? null : act.reason,
    before: showsFacts ? act.before : null,
    after: showsFacts ? act.after : null,
  };
}

function showActor({ kind, id, name, keyName, isMember }: RecordedAct['actor']): ShownActor {
  if (kind === 'key') return { kind, id, name: keyName ?? name };
  if (kind === 'system') return SERVICE;
  return isMember ? { kind: 'person', id, name } : STAFF;
}
