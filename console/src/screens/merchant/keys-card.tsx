import { useState } from 'react';
import type { Merchant, StaffKey } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Says } from '../../parts/says.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { ModeWord, Tag, type TagTone } from '../../parts/words.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { ActDialog } from '../staff/act-dialog.tsx';
import { MakeKey } from './make-key.tsx';

const texts = words.keys;

const TONES: Readonly<Record<string, TagTone>> = {
  active: 'good',
  awaiting_confirmation: 'caution',
};

function columnsOf(onRevoke: (key: StaffKey) => void): readonly Column<StaffKey>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: ({ name, hint, mode }) => (
        <span className="two">
          <span>
            {name} <ModeWord mode={mode} />
          </span>
          <small className="id">{hint}</small>
        </span>
      ),
    },
    {
      key: 'scopes',
      head: texts.scopes,
      fold: 'hide',
      cell: ({ scopes }) => (scopes.length === 0 ? texts.everything : scopes.join(', ')),
    },
    {
      key: 'state',
      head: texts.state,
      fold: 'state',
      cell: ({ state }) => {
        const tone = TONES[state];
        const word = texts.states[state] ?? state;
        return tone === undefined ? <Tag>{word}</Tag> : <Tag tone={tone}>{word}</Tag>;
      },
    },
    {
      key: 'used',
      head: texts.used,
      isNumber: true,
      fold: 'time',
      cell: ({ lastUsedAt }) => (
        <>
          <span className="hide-wide-inline faint small">{texts.used} </span>
          {lastUsedAt === null ? (
            <span className="faint">{texts.never}</span>
          ) : (
            <Time at={lastUsedAt} />
          )}
        </>
      ),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (key) =>
        key.revokedAt === null ? (
          <RevokeButton name={key.name} onClick={() => onRevoke(key)} />
        ) : null,
    },
  ];
}

function RevokeButton({ name, onClick }: Readonly<{ name: string; onClick: () => void }>) {
  const inactive = useInactive();
  return (
    <Button
      size="sm"
      inactive={inactive('merchants:write')}
      aria-label={texts.revokeOf(name)}
      onClick={onClick}
    >
      {texts.revoke}
    </Button>
  );
}

export function KeysCard({ merchant }: Readonly<{ merchant: Merchant }>) {
  const inactive = useInactive();
  const act = useStaffAct();
  const [revoked, setRevoked] = useState<StaffKey>();
  const [isMaking, setMaking] = useState(false);
  return (
    <Card
      title={texts.title}
      aside={
        <Button size="sm" inactive={inactive('merchants:write')} onClick={() => setMaking(true)}>
          {texts.make}
        </Button>
      }
    >
      {merchant.keys.length === 0 ? (
        <p className="card-pad pt-0 soft">{texts.empty}</p>
      ) : (
        <Table
          caption={texts.caption}
          columns={columnsOf(setRevoked)}
          rows={merchant.keys}
          idOf={({ id }) => id}
          rowClass={({ revokedAt }) => (revokedAt === null ? undefined : 'row-dim')}
        />
      )}
      {isMaking && <MakeKey merchant={merchant} onClose={() => setMaking(false)} />}
      {revoked !== undefined && (
        <ActDialog
          title={texts.revokeTitle(revoked.name)}
          actLabel={texts.revokeDo(revoked.name)}
          isDanger
          needsStepUp
          inactive={inactive('merchants:write')}
          onClose={() => setRevoked(undefined)}
          onAct={async () => {
            await act({ path: `/keys/${revoked.id}/revoke` });
            toast(texts.revoked(revoked.name));
          }}
        >
          <Says lead={texts.revokeSays} book={{ mode: revoked.mode, merchant }}>
            <p>
              {revoked.name} <span className="id">{revoked.hint}</span>
            </p>
            <p className="small">{texts.revokeDetail}</p>
          </Says>
        </ActDialog>
      )}
    </Card>
  );
}
