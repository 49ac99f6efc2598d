import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_TYPES } from '../../../../service/src/events/event-types.ts';
import { ApiError } from '../../api/api-error.ts';
import type { EventType, Webhook, WebhookWithSecret } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, SegmentField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { shell } from '../../texts/en/shell.ts';
import { webhooks as texts } from '../../texts/en/webhooks.ts';
import { EndpointSecret } from './endpoint-secret.tsx';

type Given = Readonly<{ webhook?: Webhook; onClose: () => void }>;

/** Adds an endpoint, or changes the one that is given. */
export function EndpointForm({ webhook, onClose }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly EventType[]>(webhook?.events ?? []);
  const [which, setWhich] = useState(events.length === 0 ? 'all' : 'some');
  const [problem, setProblem] = useState<string>();
  const [made, setMade] = useState<WebhookWithSecret>();
  const save = async () => {
    setProblem(undefined);
    const body = { url: url.trim(), events: which === 'all' ? [] : events };
    try {
      if (webhook === undefined) {
        setMade(await api<WebhookWithSecret>({ method: 'POST', path: '/webhooks', body }));
      } else {
        await api({ method: 'PATCH', path: `/webhooks/${webhook.id}`, body });
        toast(texts.form.saved);
        onClose();
      }
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.problemOf('url'));
      throw error;
    }
    await queries.invalidateQueries({ queryKey: key('webhooks') });
  };
  if (made !== undefined) return <EndpointSecret webhook={made} onKept={onClose} />;
  const isAdding = webhook === undefined;
  return (
    <Dialog title={isAdding ? texts.form.addTitle : texts.form.editTitle} onClose={onClose}>
      <GuardedAct
        needsFactor={false}
        actLabel={shell.inTest(isAdding ? texts.add : texts.form.save, mode)}
        inactive={inactiveOf({ url, which, events })}
        onKeep={onClose}
        onAct={save}
      >
        <TextField
          label={texts.form.url}
          help={texts.form.urlHelp}
          problem={problem}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          onChange={setUrl}
        />
        <SegmentField
          label={texts.form.which}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'all', label: texts.form.all },
            { value: 'some', label: texts.form.some },
          ]}
        />
        {which === 'some' && (
          <div className="choices">
            {EVENT_TYPES.filter((type) => type !== 'webhook.test').map((type) => (
              <CheckField
                key={type}
                label={<code>{type}</code>}
                isChecked={events.includes(type)}
                onChange={(isOn) =>
                  setEvents(isOn ? [...events, type] : events.filter((one) => one !== type))
                }
              />
            ))}
          </div>
        )}
      </GuardedAct>
    </Dialog>
  );
}

function inactiveOf(
  given: Readonly<{ url: string; which: string; events: readonly EventType[] }>,
): string | undefined {
  if (given.url.trim() === '') return texts.form.needsUrl;
  return given.which === 'some' && given.events.length === 0 ? texts.form.chooseSome : undefined;
}
