import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BookEvent } from '../../api/developer-types.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Facts } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Raw } from '../../parts/raw.tsx';
import { Id, Phone, StatePill } from '../../parts/words.tsx';
import { events as texts } from '../../texts/en/events.ts';

/** An event as JSON, and beside it the transfer as it is now. */
export function EventDetail({ event }: Readonly<{ event: BookEvent }>) {
  const json = JSON.stringify(event, null, 2);
  const { id } = event.data;
  return (
    <section className="attempts" aria-label={event.type}>
      <div className="split split-wrap">
        <h3>
          <code>{event.type}</code>
        </h3>
        <span className="faint small">
          <Id id={event.id} whole what={texts.id} />
        </span>
      </div>
      <div className="g-inner g-raw mt-1">
        <div>
          <p className="label">
            {texts.json} <CopyButton text={json} what={texts.copy} />
          </p>
          <Raw label={texts.json} text={json} />
        </div>
        <div>
          <p className="label">{texts.transfer}</p>
          {event.type.startsWith('transfer.') && typeof id === 'string' ? (
            <TransferNow id={id} />
          ) : (
            <p className="soft">{event.type === 'webhook.test' ? texts.test : texts.notTransfer}</p>
          )}
        </div>
      </div>
    </section>
  );
}

function TransferNow({ id }: Readonly<{ id: string }>) {
  const api = useBookApi();
  const key = useBookKey();
  const book = useBook();
  const found = useQuery({
    queryKey: key('transfers', id),
    queryFn: ({ signal }) => api<Transfer>({ path: `/transfers/${id}`, signal }),
  });
  if (found.data === undefined) {
    return found.isError ? (
      <PartFailed error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LoadingRows rows={2} />
    );
  }
  const transfer = found.data;
  return (
    <>
      <Facts
        facts={[
          [texts.state, <StatePill key="state" state={transfer.state} />],
          [
            texts.amount,
            <Amount key="amount" currency={transfer.currency} amount={transfer.amount} />,
          ],
          [
            texts.to,
            <span key="to">
              {transfer.recipientName} <Phone phone={transfer.phone} />
            </span>,
          ],
          [texts.reference, <code key="reference">{transfer.reference}</code>],
        ]}
      />
      <p className="mt-1">
        <Link to={`/b/${book.id}/transfers/${id}`}>{texts.openTransfer}</Link>
      </p>
    </>
  );
}
