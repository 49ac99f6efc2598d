import type { TimelineEntry } from '../../api/transfer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useRolesNeeded } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { sayError } from '../../parts/failure.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag } from '../../parts/words.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';

export function WebhooksCard({ entries }: Readonly<{ entries: readonly TimelineEntry[] }>) {
  const deliveries = entries.filter(({ kind }) => kind === 'webhook');
  if (deliveries.length === 0) return null;
  return (
    <Card title={texts.webhooks.title}>
      <Table
        caption={texts.webhooks.title}
        columns={COLUMNS}
        rows={deliveries}
        idOf={({ facts }) => facts.deliveryId ?? ''}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<TimelineEntry>[] = [
  {
    key: 'event',
    head: texts.webhooks.event,
    isRowHead: true,
    fold: 'main',
    cell: ({ facts: { event, url } }) => (
      <span className="two">
        <code>{event}</code>
        <small className="break">{hostOf(url)}</small>
      </span>
    ),
  },
  {
    key: 'answer',
    head: texts.webhooks.answer,
    fold: 'state',
    cell: ({ facts }) => <Answer facts={facts} />,
  },
  {
    key: 'tries',
    head: texts.webhooks.tries,
    isNumber: true,
    fold: 'hide',
    cell: ({ facts: { attempts } }) => attempts,
  },
  {
    key: 'again',
    head: <span className="visually-hidden">{texts.webhooks.again}</span>,
    fold: 'num',
    isNumber: true,
    cell: ({ facts: { deliveryId } }) => <SendAgain deliveryId={deliveryId ?? ''} />,
  },
];

function Answer({ facts }: Readonly<{ facts: TimelineEntry['facts'] }>) {
  const { deliveryState, httpStatus, nextAttemptAt } = facts;
  const tone =
    deliveryState === 'delivered' ? 'good' : deliveryState === 'failed' ? 'bad' : undefined;
  const word =
    deliveryState === 'delivered'
      ? texts.webhooks.delivered
      : deliveryState === 'failed'
        ? texts.webhooks.failed
        : texts.webhooks.waits;
  return (
    <span className="two">
      <Tag {...(tone === undefined ? {} : { tone })}>{httpStatus ?? word}</Tag>
      <small>
        {httpStatus !== null && httpStatus !== undefined && word}
        {nextAttemptAt && (
          <>
            {' '}
            {texts.webhooks.next} <Time at={nextAttemptAt} />
          </>
        )}
      </small>
    </span>
  );
}

/** Sending again has no effect at a receiver that recognises the event by its id. */
function SendAgain({ deliveryId }: Readonly<{ deliveryId: string }>) {
  const api = useBookApi();
  const needed = useRolesNeeded()('webhooks:write');
  const isConnected = useIsConnected();
  const send = async () => {
    try {
      await api({ method: 'POST', path: `/webhooks/deliveries/${deliveryId}/replay` });
      toast(texts.webhooks.sent);
    } catch (error) {
      toast(sayError(error), 'bad');
    }
  };
  return (
    <Button
      size="sm"
      inactive={
        needed !== undefined
          ? shell.onlyRoles(needed)
          : isConnected
            ? undefined
            : texts.cancel.offline
      }
      onClick={() => void send()}
    >
      {texts.webhooks.again}
    </Button>
  );
}

function hostOf(url: string | null | undefined): string {
  return url === null || url === undefined || !URL.canParse(url) ? (url ?? '') : new URL(url).host;
}
