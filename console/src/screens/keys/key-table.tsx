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
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <Table
        caption={texts.caption}
        columns={[...COLUMNS, actColumn(setAsked)]}
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

type Ask = (asked: Asked) => void;

function actColumn(onAsk: Ask): Column<ApiKey> {
  return {
    key: 'act',
    head: <span className="visually-hidden">{texts.action}</span>,
    isNumber: true,
    fold: 'act',
    cell: (key) => <KeyActs apiKey={key} onAsk={onAsk} />,
  };
}

function KeyActs({ apiKey, onAsk }: Readonly<{ apiKey: ApiKey; onAsk: Ask }>) {
  const inactive = useInactive();
  const { person } = useSession();
  const { name, state, createdBy } = apiKey;
  const isOwn = createdBy?.id === person.id;
  return (
    <span className="actions actions-row">
      {state === 'awaiting_confirmation' && (
        <Button
          size="sm"
          kind="main"
          aria-label={texts.confirmAsk.act(name)}
          inactive={inactive('keys:confirm') ?? (isOwn ? texts.ownKey : undefined)}
          onClick={() => onAsk({ act: 'confirm', apiKey })}
        >
          {texts.confirm}
        </Button>
      )}
      {(state === 'active' || state === 'awaiting_confirmation') && (
        <Button
          size="sm"
          kind="danger"
          aria-label={texts.revokeAsk.act(name)}
          inactive={inactive('keys:write')}
          onClick={() => onAsk({ act: 'revoke', apiKey })}
        >
          {texts.revoke}
        </Button>
      )}
    </span>
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
