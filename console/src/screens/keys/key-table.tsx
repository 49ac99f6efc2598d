import { useState } from 'react';
import type { ApiKey } from '../../api/developer-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Tag, type TagTone } from '../../parts/words.tsx';
import { keys as texts } from '../../texts/en/keys.ts';
import { listAnd } from '../../texts/plural.ts';
import { KeyQuestion } from './key-question.tsx';

const TONES: Readonly<Record<ApiKey['state'], TagTone | undefined>> = {
  active: 'good',
  awaiting_confirmation: 'caution',
  revoked: undefined,
  expired: undefined,
};

type Asked = Readonly<{ act: 'revoke' | 'confirm'; apiKey: ApiKey }>;

export function KeyTable({ keys }: Readonly<{ keys: readonly ApiKey[] }>) {
  const inactive = useInactive();
  const { person } = useSession();
  const [asked, setAsked] = useState<Asked>();
  const columns: readonly Column<ApiKey>[] = [
    ...COLUMNS,
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.action}</span>,
      isNumber: true,
      fold: 'act',
      cell: (key) => (
        <span className="actions actions-row">
          {key.state === 'awaiting_confirmation' && (
            <Button
              size="sm"
              kind="main"
              aria-label={texts.confirmAsk.act(key.name)}
              inactive={
                inactive('keys:confirm') ??
                (key.createdBy?.id === person.id ? texts.ownKey : undefined)
              }
              onClick={() => setAsked({ act: 'confirm', apiKey: key })}
            >
              {texts.confirm}
            </Button>
          )}
          {(key.state === 'active' || key.state === 'awaiting_confirmation') && (
            <Button
              size="sm"
              kind="danger"
              aria-label={texts.revokeAsk.act(key.name)}
              inactive={inactive('keys:write')}
              onClick={() => setAsked({ act: 'revoke', apiKey: key })}
            >
              {texts.revoke}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <Table
        caption={texts.caption}
        columns={columns}
        rows={keys}
        idOf={({ id }) => id}
        rowClass={({ state }) =>
          state === 'revoked' || state === 'expired' ? 'row-past' : undefined
        }
      />
      {asked !== undefined && <KeyQuestion {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    key: 'name',
    head: texts.name,
    isRowHead: true,
    fold: 'main',
    cell: ({ name, hint }) => (
      <span className="two">
        {name}
        <small>
          <code>{hint}</code>
        </small>
      </span>
    ),
  },
  { key: 'state', head: texts.state, fold: 'num', cell: (key) => <KeyState apiKey={key} /> },
  {
    key: 'scope',
    head: texts.scope,
    fold: 'more',
    cell: ({ scopes, addresses }) => (
      <span className="two">
        {listAnd(scopes.map((scope) => texts.scopes[scope].word))}
        <small>
          {texts.addresses.toLowerCase()}{' '}
          {addresses.length === 0 ? texts.anywhere : addresses.join(', ')}
        </small>
      </span>
    ),
  },
  {
    key: 'used',
    head: texts.used,
    fold: 'hide',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <span className="faint">{texts.neverUsed}</span>
      ) : (
        <Time at={lastUsedAt} />
      ),
  },
  {
    key: 'made',
    head: texts.made,
    isSorted: true,
    fold: 'state',
    cell: ({ createdAt, createdBy }) => (
      <span className="two">
        <Time at={createdAt} />
        <small>
          {texts.by} {createdBy?.name ?? texts.staff}
        </small>
      </span>
    ),
  },
];

function KeyState({ apiKey }: Readonly<{ apiKey: ApiKey }>) {
  const { state, confirmUntil, expiresAt, revokedAt } = apiKey;
  const tone = TONES[state];
  const line = {
    active: expiresAt === null ? undefined : ([texts.ends, expiresAt] as const),
    awaiting_confirmation:
      confirmUntil === null ? undefined : ([texts.until, confirmUntil] as const),
    revoked: revokedAt === null ? undefined : (['', revokedAt] as const),
    expired: expiresAt === null ? undefined : (['', expiresAt] as const),
  }[state];
  return (
    <span className="two">
      <Tag {...(tone === undefined ? {} : { tone })}>{texts.states[state]}</Tag>
      {line !== undefined && (
        <small>
          {line[0]} <Time at={line[1]} />
        </small>
      )}
    </span>
  );
}
