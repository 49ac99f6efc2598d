import type { PolicyAnswer, PolicyDraft } from '../../api/policy-types.ts';
import type { Mode } from '../../api/types.ts';
import { policy } from '../../texts/en/policy.ts';
import { countChanges } from './rule-diff.ts';

const DAY_MS = 86_400_000;
/** A replay that ended today covers the last 30 days. */
const REPLAY_AGE_MAX_MS = DAY_MS;
const REPLAY_DAYS = 30;

/** Whether the draft as it is now was replayed over the last 30 days. */
export function isReplayed({ replay }: PolicyDraft, now: number): boolean {
  if (replay === null) return false;
  const from = Date.parse(replay.from);
  const to = Date.parse(replay.to);
  return to - from >= REPLAY_DAYS * DAY_MS - 1_000 && now - to <= REPLAY_AGE_MAX_MS;
}

type Answer = Pick<PolicyAnswer, 'document'>;

/** Why the draft cannot be published yet. */
export function whyNotPublished(
  answer: Answer,
  draft: PolicyDraft,
  { mode, now }: Readonly<{ mode: Mode; now: number }>,
): string | undefined {
  const texts = policy.publish;
  if (draft.problems.length > 0) return texts.problemsFirst;
  if (countChanges(answer.document, draft.document) === 0 && answer.document !== null) {
    return texts.changesFirst;
  }
  if (mode === 'live' && !isReplayed(draft, now)) return texts.replayFirst;
  return undefined;
}
