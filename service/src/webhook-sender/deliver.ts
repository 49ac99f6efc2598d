import type { CommitQueue } from '../postgres/commit-queue.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import type { Logger } from '../telemetry/logger.ts';
import { eventBody, type RenderedEvent } from '../views/render-event.ts';
import type { ClaimedDelivery } from '../webhooks/claim-deliveries.ts';
import { nextAttemptInMs, type TimeScale } from '../webhooks/delivery-schedule.ts';
import { openSecrets } from '../webhooks/endpoint.ts';
import {
  type DeliveryAttempt,
  isDelivered,
  type RecordedAttempt,
} from '../webhooks/record-attempts.ts';
import type { PostResult, SafePoster } from '../webhooks/safe-post/post-safely.ts';
import type { Sealer } from '../webhooks/seal-secret.ts';
import { signWebhook } from '../webhooks/sign-webhook.ts';
import type { WebhookUrlRules } from '../webhooks/webhook-url.ts';

/** One claimed delivery and its event; without the event it cannot be sent. */
export type PreparedDelivery = Readonly<{
  delivery: ClaimedDelivery;
  event: RenderedEvent | undefined;
  /** If the POST began later, the lease might end during it. In monotonic time. */
  beginBeforeMs: number;
}>;

type WebhookObserver = Readonly<{
  attempted(attempt: Readonly<{ result: RecordedAttempt['state']; elapsedMs: number }>): void;
  /** From the event to the first attempt. */
  firstAttempted(attempt: Readonly<{ delayMs: number }>): void;
}>;

export type DeliverDeps = Readonly<{
  attempts: Pick<CommitQueue<DeliveryAttempt, RecordedAttempt>, 'submit'>;
  poster: Pick<SafePoster, 'post'>;
  sealer: Sealer;
  toLoopback: WebhookUrlRules['toLoopback'];
  timeScale: TimeScale;
  random: () => number;
  now: () => Date;
  monotonicMs: () => number;
  observe: WebhookObserver;
  logger: Pick<Logger, 'warn'>;
}>;

/**
 * Makes one attempt and records it; resolves to what was recorded. If something goes wrong on our side or the process
 * dies, the lease ends and the same event is sent again with the same id and bytes. Undefined means that it was left to
 * that.
 *
 * `onTaken` is called when the endpoint accepted it and may get the next one. After any other result it may have to be
 * disabled, so nothing more is sent to it before the attempt is recorded.
 */
export async function deliver(
  deps: DeliverDeps,
  prepared: PreparedDelivery,
  onTaken: () => void,
): Promise<RecordedAttempt | undefined> {
  if (deps.monotonicMs() > prepared.beginBeforeMs) return undefined;
  const { delivery } = prepared;
  try {
    const at = deps.now();
    if (delivery.attempts === 0) {
      deps.observe.firstAttempted({ delayMs: at.getTime() - delivery.createdAt.getTime() });
    }
    const result = await attempt(deps, prepared, at);
    if (isDelivered(result)) onTaken();
    failpoint('webhook-posted');
    const recorded = await deps.attempts.submit(toAttempt(deps, { delivery, at, result }));
    deps.observe.attempted({ result: recorded.state, elapsedMs: result.elapsedMs });
    return recorded;
  } catch (error) {
    const { bookId, attempts } = delivery;
    deps.logger.warn(
      { bookId, attempt: attempts + 1, err: error },
      'making a delivery failed, retried when its lease ends',
    );
    return undefined;
  }
}

async function attempt(
  deps: DeliverDeps,
  prepared: PreparedDelivery,
  at: Date,
): Promise<PostResult> {
  const { delivery, event } = prepared;
  const { endpoint } = delivery;
  if (endpoint === undefined) throw new Error('a delivery without an endpoint cannot be sent');
  if (event === undefined) {
    return { kind: 'unanswered', error: 'the event no longer exists', elapsedMs: 0 };
  }
  const body = eventBody(event);
  const secrets = openSecrets(deps.sealer, endpoint, at);
  return deps.poster.post({
    url: endpoint.url,
    rules: { mode: endpoint.mode, toLoopback: deps.toLoopback },
    headers: signWebhook({ id: event.id, at, body, secrets }),
    body,
  });
}

function toAttempt(
  { timeScale, random }: DeliverDeps,
  { delivery, at, result }: Readonly<{ delivery: ClaimedDelivery; at: Date; result: PostResult }>,
): DeliveryAttempt {
  const retryAfterSeconds = result.kind === 'answered' ? result.retryAfterSeconds : undefined;
  const failed = { attempts: delivery.scheduleAttempts + 1, retryAfterSeconds };
  const retryInMs = isDelivered(result)
    ? null
    : (nextAttemptInMs(failed, { timeScale, random }) ?? null);
  return { delivery, at, elapsedMs: result.elapsedMs, outcome: result, retryInMs };
}
