import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BookEvent, Delivery } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey, useMay } from '../../app/session.ts';
import { formatAge } from '../../format/format-age.ts';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Raw } from '../../parts/raw.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, Tag } from '../../parts/words.tsx';
import { webhooks } from '../../texts/en/webhooks.ts';
import { isAccepted } from './endpoint-health.ts';

const texts = webhooks.detail;

/** What was sent, every attempt, and what the server answered last. */
export function DeliveryDetail({ delivery }: Readonly<{ delivery: Delivery }>) {
  const last = delivery.attempts.at(-1);
  return (
    <section className="attempts" aria-label={texts.attempts(delivery.eventType)}>
      <div className="split split-wrap">
        <h3>
          <code>{delivery.eventType}</code>
        </h3>
        <span className="faint small">
          <Id id={delivery.eventId} whole what={texts.event} />
        </span>
      </div>
      <ol className="tries">
        {delivery.attempts.map(({ at, status, elapsedMs }) => (
          <li key={at}>
            <Time at={at} />
            <Tag tone={isAccepted(status) ? 'good' : 'bad'}>
              {status ?? webhooks.deliveries.noAnswer}
            </Tag>
            <span className="soft">
              {texts.in} {formatAge(elapsedMs)}
            </span>
          </li>
        ))}
        {delivery.nextAttemptAt !== null && (
          <li className="faint">
            <Time at={delivery.nextAttemptAt} />
            <span>{texts.next(delivery.attempts.length + 1)}</span>
          </li>
        )}
      </ol>
      <div className="g-inner g-raw">
        <div>
          <p className="label">{texts.sent}</p>
          <Sent delivery={delivery} />
        </div>
        <div>
          <p className="label">{texts.answered}</p>
          {last === undefined ? (
            <p className="soft">{texts.nothing}</p>
          ) : (
            <Raw label={texts.answered} text={answerOf(last)} />
          )}
        </div>
      </div>
    </section>
  );
}

function answerOf({ status, error, answer }: Delivery['attempts'][number]): string {
  if (status === null) return texts.noAnswer(error ?? '');
  return `HTTP ${status}\n\n${answer === null || answer === '' ? texts.noBody : answer}`;
}

/** People who may not see payouts do not see what was sent about them either. */
function Sent({ delivery }: Readonly<{ delivery: Delivery }>) {
  const api = useBookApi();
  const key = useBookKey();
  const book = useBook();
  const isAllowed = useMay()('payouts:read');
  const found = useQuery({
    queryKey: key('events', delivery.eventId),
    queryFn: ({ signal }) => api<BookEvent>({ path: `/events/${delivery.eventId}`, signal }),
    // An event never changes.
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isAllowed,
  });
  if (!isAllowed) return <p className="soft">{texts.notYours}</p>;
  if (found.data === undefined) {
    return found.isError ? (
      <PartFailed error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={2} />
    );
  }
  const { type, data } = found.data;
  return (
    <>
      <Raw
        label={texts.sent}
        text={`webhook-id: ${delivery.eventId}\n\n${JSON.stringify(found.data, null, 2)}`}
      />
      {type.startsWith('transfer.') && typeof data['id'] === 'string' && (
        <p className="small mt-1">
          <Link to={`/b/${book.id}/transfers/${data['id']}`}>{texts.transfer}</Link>
        </p>
      )}
    </>
  );
}
