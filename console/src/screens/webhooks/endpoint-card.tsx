import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Delivery, Webhook, WebhookWithSecret } from '../../api/developer-types.ts';
import type { Page as ListPage } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useInactive } from '../../app/may-act.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatAge } from '../../format/format-age.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Refused } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { shell } from '../../texts/en/shell.ts';
import { webhooks as texts } from '../../texts/en/webhooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { Health } from './endpoint-health.ts';
import { EndpointSecret } from './endpoint-secret.tsx';

type Given = Readonly<{ webhook: Webhook; health: Health | undefined; onDeleted: () => void }>;
type Asked = 'edit' | 'rotate' | 'disable' | 'delete';

/** One endpoint: how it does, and what can be done with it. */
export function EndpointCard({ webhook, health, onDeleted }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const may = useInactive()('webhooks:write');
  const [asked, setAsked] = useState<Asked>();
  const [rotated, setRotated] = useState<WebhookWithSecret>();
  const path = `/webhooks/${webhook.id}`;
  const refresh = () => queries.invalidateQueries({ queryKey: key('webhooks') });
  const sendTest = useMutation({
    mutationFn: () => api<Delivery>({ method: 'POST', path: `${path}/test` }),
    onSuccess: async () => {
      toast(texts.testSent, 'info');
      await refresh();
    },
  });
  const enable = useMutation({
    mutationFn: () => api({ method: 'PATCH', path, body: { status: 'enabled' } }),
    onSuccess: async () => {
      toast(texts.enabled);
      await refresh();
    },
  });
  const isOff = webhook.status === 'disabled';
  const error: unknown = sendTest.error ?? enable.error;
  return (
    <Card title={<span className="break">{webhook.url}</span>}>
      <div className="card-pad pt-0 actions">
        <Button
          size="sm"
          isBusy={sendTest.isPending}
          inactive={may ?? (isOff ? texts.isDisabled : undefined)}
          onClick={() => sendTest.mutate()}
        >
          {texts.test}
        </Button>
        <Button size="sm" inactive={may} onClick={() => setAsked('rotate')}>
          {texts.rotate}
        </Button>
        <Button size="sm" inactive={may} onClick={() => setAsked('edit')}>
          {texts.edit}
        </Button>
        {isOff ? (
          <Button
            size="sm"
            kind="main"
            inactive={may}
            isBusy={enable.isPending}
            onClick={() => enable.mutate()}
          >
            {texts.enable}
          </Button>
        ) : (
          <Button size="sm" inactive={may} onClick={() => setAsked('disable')}>
            {texts.disable}
          </Button>
        )}
        <Button size="sm" kind="danger" inactive={may} onClick={() => setAsked('delete')}>
          {texts.delete}
        </Button>
      </div>
      {error !== null && (
        <div className="card-pad pt-0">
          <Refused error={error} />
        </div>
      )}
      <div className="facts-wide">
        <Facts facts={factsOf(webhook, health)} />
      </div>
      {asked === 'edit' && <EndpointForm webhook={webhook} onClose={() => setAsked(undefined)} />}
      {asked !== undefined && asked !== 'edit' && (
        <EndpointQuestion
          asked={asked}
          webhook={webhook}
          onClose={() => setAsked(undefined)}
          onRotated={setRotated}
          onDeleted={onDeleted}
        />
      )}
      {rotated !== undefined && (
        <EndpointSecret webhook={rotated} onKept={() => setRotated(undefined)} />
      )}
    </Card>
  );
}

function factsOf(
  webhook: Webhook,
  health: Health | undefined,
): readonly (readonly [string, ReactNode])[] {
  const { facts } = texts;
  const last = health?.last;
  return [
    [
      facts.secret,
      <span key="secret" className="soft">
        {facts.secretShown}
      </span>,
    ],
    [facts.events, webhook.events.length === 0 ? texts.allEvents : webhook.events.join(', ')],
    [facts.made, <Time key="made" at={webhook.createdAt} />],
    ...(health === undefined ? [] : ([[facts.lately, latelyOf(health)]] as const)),
    ...(webhook.disabledReason === null
      ? []
      : ([[facts.disabled, <Problem key="disabled" text={webhook.disabledReason} />]] as const)),
    ...(health?.state === 'failing' && health.failingSince !== undefined && last !== undefined
      ? ([
          [
            facts.since,
            <div key="since">
              <Time at={health.failingSince} />
              <Problem
                text={facts.sinceDetail(
                  last.status === null
                    ? facts.noAnswer(last.error ?? '')
                    : facts.answers(last.status),
                )}
              />
            </div>,
          ],
        ] as const)
      : []),
  ];
}

function latelyOf(health: Health): string {
  const { facts } = texts;
  if (health.delivered + health.waiting + health.failed === 0) return facts.nothing;
  const counts = facts.latelyDetail(health.delivered, health.waiting, health.failed);
  return health.medianMs === undefined
    ? counts
    : `${counts} · ${facts.median(formatAge(health.medianMs))}`;
}

function Problem({ text }: Readonly<{ text: string }>) {
  return (
    <span className="problem">
      <Icon name="alert" />
      <span>{text}</span>
    </span>
  );
}

type QuestionGiven = Readonly<{
  asked: Exclude<Asked, 'edit'>;
  webhook: Webhook;
  onClose: () => void;
  onRotated: (webhook: WebhookWithSecret) => void;
  onDeleted: () => void;
}>;

function EndpointQuestion({ asked, webhook, onClose, onRotated, onDeleted }: QuestionGiven) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const path = `/webhooks/${webhook.id}`;
  const acts = {
    rotate: async () =>
      onRotated(await api<WebhookWithSecret>({ method: 'POST', path: `${path}/rotate-secret` })),
    disable: async () => {
      await api({ method: 'PATCH', path, body: { status: 'disabled' } });
      toast(texts.disableAsk.done);
    },
    delete: async () => {
      await api({ method: 'DELETE', path });
      // Out of the list first: what it shows would be asked for once more.
      queries.setQueryData<ListPage<Webhook>>(key('webhooks'), (list) =>
        list === undefined
          ? list
          : { ...list, items: list.items.filter(({ id }) => id !== webhook.id) },
      );
      toast(texts.deleteAsk.done);
      onDeleted();
    },
  };
  const words = {
    rotate: texts.rotateAsk,
    disable: texts.disableAsk,
    delete: texts.deleteAsk,
  }[asked];
  return (
    <Confirm
      title={words.title}
      actLabel={shell.inTest(words.act, mode)}
      keepLabel={words.keep}
      isDanger={asked !== 'rotate'}
      onClose={onClose}
      onAct={async () => {
        await acts[asked]();
        await queries.invalidateQueries({ queryKey: key('webhooks'), exact: asked === 'delete' });
      }}
    >
      <p className="strong break">{webhook.url}</p>
      <p>{words.detail}</p>
    </Confirm>
  );
}
