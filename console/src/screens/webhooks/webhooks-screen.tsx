import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Delivery, Webhook } from '../../api/developer-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DocsLink } from '../../parts/docs-link.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { webhooks as texts } from '../../texts/en/webhooks.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { type Health, healthOf } from './endpoint-health.ts';

/** How many of the last deliveries show the health of an endpoint. */
const LATELY = 25;

const TONES: Readonly<Record<Health['state'], TagTone | undefined>> = {
  working: 'good',
  failing: 'bad',
  disabled: undefined,
  new: undefined,
};

type Known = Readonly<{ webhook: Webhook; health: Health | undefined }>;

export default function WebhooksScreen() {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const inactive = useInactive();
  const [isAdding, setAdding] = useState(false);
  const found = useQuery({
    queryKey: key('webhooks'),
    queryFn: ({ signal }) => api<ListPage<Webhook>>({ path: '/webhooks', signal }),
  });
  const items = found.data?.items ?? [];
  const lately = useQueries({
    queries: items.map(({ id }) => ({
      queryKey: key('webhooks', id, 'lately'),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api<ListPage<Delivery>>({
          path: `/webhooks/${id}/deliveries`,
          query: { limit: LATELY },
          signal,
        }),
    })),
  });
  const known = items.map((webhook, index) => {
    const deliveries = lately[index]?.data?.items;
    return {
      webhook,
      health: deliveries === undefined ? undefined : healthOf(webhook, deliveries),
    };
  });
  const actions = (
    <>
      <DocsLink />
      <Button
        kind="main"
        icon="plus"
        inactive={inactive('webhooks:write')}
        onClick={() => setAdding(true)}
      >
        {texts.add}
      </Button>
    </>
  );
  return (
    <Page title={placeNames.webhooks} intro={texts.intro[mode]} actions={actions}>
      {found.data === undefined ? (
        <Card>
          {found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows />
          )}
        </Card>
      ) : items.length === 0 ? (
        <Card>
          <Empty icon="hook" title={texts.empty}>
            {texts.emptyDetail}
          </Empty>
        </Card>
      ) : (
        <Endpoints known={known} />
      )}
      {isAdding && <EndpointForm onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** The endpoints at the left, the one of the address at the right; without one, the first. */
function Endpoints({ known }: Readonly<{ known: readonly Known[] }>) {
  const { webhookId } = useParams({ strict: false }) as { webhookId?: string };
  const { id: bookId } = useBook();
  const navigate = useNavigate();
  const at = webhookId ?? known[0]?.webhook.id;
  const open = known.find(({ webhook }) => webhook.id === at);
  return (
    <div className="grid g-side-main g-side-narrow">
      <Card title={texts.endpoints}>
        <ul className="inbox">
          {known.map(({ webhook, health }) => (
            <li key={webhook.id}>
              <Link
                className="inbox-item ep"
                to={`/b/${bookId}/developers/webhooks/${webhook.id}`}
                aria-current={webhook.id === at ? 'true' : undefined}
              >
                <b className="ep-url break">{shortUrl(webhook.url)}</b>
                <small className="faint">{summaryOf(webhook, health)}</small>
                {health !== undefined && (
                  <Tag {...toneOf(health.state)}>{texts.health[health.state]}</Tag>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      {open === undefined ? (
        <Note tone="info">{texts.gone}</Note>
      ) : (
        <div className="stack" key={open.webhook.id}>
          <EndpointCard
            webhook={open.webhook}
            health={open.health}
            onDeleted={() => void navigate({ to: `/b/${bookId}/developers/webhooks` })}
          />
          <DeliveriesCard webhook={open.webhook} />
        </div>
      )}
    </div>
  );
}

function toneOf(state: Health['state']): { tone: TagTone } | object {
  const tone = TONES[state];
  return tone === undefined ? {} : { tone };
}

function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '');
}

function summaryOf({ events }: Webhook, health: Health | undefined): string {
  const which = events.length === 0 ? texts.allEvents : texts.events(events.length);
  return health === undefined || health.waiting === 0
    ? which
    : `${which} · ${texts.wait(health.waiting)}`;
}
