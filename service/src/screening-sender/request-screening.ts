import type { Transfer } from '../domain/transfer.ts';
import type { ClaimedScreening, DueScreener } from '../screening/claim-screenings.ts';
import { ANSWER_BYTES_MAX, readDecision, type ScreenerAnswer } from '../screening/read-decision.ts';
import type { SentScreening } from '../screening/record-answer.ts';
import { screenerSecretPurpose } from '../screening/screener.ts';
import { SCREENING_ATTEMPTS_MAX, screeningId } from '../screening/screening.ts';
import { renderTransfer } from '../views/render-transfer.ts';
import type { SafePoster } from '../webhooks/safe-post/post-safely.ts';
import { SealBroken, type Sealer } from '../webhooks/seal-secret.ts';
import { signWebhook } from '../webhooks/sign-webhook.ts';
import type { WebhookUrlRules } from '../webhooks/webhook-url.ts';

export type RequestScreeningDeps = Readonly<{
  poster: Pick<SafePoster, 'post'>;
  sealer: Sealer;
  toLoopback: WebhookUrlRules['toLoopback'];
  now: () => Date;
}>;

/** Sends one screening request, once. An error counts as an answer: it holds the transfer for a person. */
export async function requestScreening(
  deps: RequestScreeningDeps,
  claimed: ClaimedScreening,
): Promise<SentScreening> {
  const at = deps.now();
  const { elapsedMs, ...answer } = await ask(deps, claimed, at);
  return { claimed, at, elapsedMs, answer, result: readDecision(answer) };
}

type TimedAnswer = ScreenerAnswer & Readonly<{ elapsedMs: number }>;

async function ask(
  deps: RequestScreeningDeps,
  claimed: ClaimedScreening,
  at: Date,
): Promise<TimedAnswer> {
  const { asked, attempts, screener, transfer, rule } = claimed;
  if (asked === undefined) return notAsked(`there is no screener called "${screener}"`);
  if (attempts > SCREENING_ATTEMPTS_MAX) {
    return notAsked(`it was asked ${SCREENING_ATTEMPTS_MAX} times, and no answer was kept`);
  }
  const secret = openSecret(deps.sealer, asked);
  if (secret === undefined) return notAsked('the secret of the screener cannot be opened');
  const id = screeningId(claimed);
  const body = describeQuestion({ id, rule, transfer });
  const { deadlineMs, url } = asked;
  const posted = await deps.poster.post({
    url,
    rules: { mode: transfer.mode, toLoopback: deps.toLoopback },
    headers: signWebhook({ id, at, body, secrets: [secret] }),
    body,
    timeoutMs: deadlineMs,
    wholeBytesMax: ANSWER_BYTES_MAX,
  });
  // An answer after the deadline is none, also when this process was too busy to see its own timer.
  if (posted.kind === 'answered' && posted.elapsedMs > deadlineMs) {
    const error = `no answer within ${deadlineMs / 1_000} s`;
    return { kind: 'unanswered', error, elapsedMs: posted.elapsedMs };
  }
  return posted;
}

function notAsked(error: string): TimedAnswer {
  return { kind: 'unanswered', error, elapsedMs: 0 };
}

/** Undefined: its key is lost. A person decides then, and can add the screener again. */
function openSecret(sealer: Sealer, asked: DueScreener): string | undefined {
  try {
    return sealer.open(asked.secretSealed, screenerSecretPurpose(asked));
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

/** The body of the POST. */
function describeQuestion({
  id,
  rule,
  transfer,
}: Readonly<{ id: string; rule: string; transfer: Transfer }>): string {
  return JSON.stringify({ id, rule, transfer: renderTransfer(transfer) });
}
