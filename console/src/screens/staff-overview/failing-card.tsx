import { useState } from 'react';
import type { FailingEndpoint } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatCount } from '../../format/format-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Age } from '../../parts/time.tsx';
import { ModeWord, Tag } from '../../parts/words.tsx';
import { staffOverview } from '../../texts/en/staff-overview.ts';
import { replayFailed } from './replay-failed.ts';

const texts = staffOverview.webhooks;

function columnsOf(onReplay: (one: FailingEndpoint) => void): readonly Column<FailingEndpoint>[] {
  return [
    {
      key: 'endpoint',
      head: texts.endpoint,
      isRowHead: true,
      fold: 'main',
      cell: ({ url, merchant, mode, status, disabledReason }) => (
        <span className="two">
          <span className="break">{url}</span>
          <small>
            {merchant.name} <ModeWord mode={mode} />
          </small>
          {status === 'disabled' && (
            <small className="wrap">
              <Tag tone="bad">{texts.disabled}</Tag> {disabledReason}
            </small>
          )}
        </span>
      ),
    },
    {
      key: 'since',
      head: texts.since,
      isNumber: true,
      fold: 'time',
      cell: ({ failingSince }) =>
        failingSince === null ? texts.never : <Age since={failingSince} />,
    },
    {
      key: 'waiting',
      head: texts.waiting,
      isNumber: true,
      fold: 'num',
      cell: ({ waiting }) => formatCount(waiting),
    },
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (one) => <ReplayButton endpoint={one} onClick={() => onReplay(one)} />,
    },
  ];
}

function ReplayButton({
  endpoint: { url, status },
  onClick,
}: Readonly<{ endpoint: FailingEndpoint; onClick: () => void }>) {
  const inactive = useInactive();
  return (
    <Button
      size="sm"
      inactive={
        inactive('webhooks:replay') ?? (status === 'disabled' ? texts.replayDisabled : undefined)
      }
      aria-label={texts.replayOne(url)}
      onClick={onClick}
    >
      {texts.replay}
    </Button>
  );
}

export function FailingCard({ failing }: Readonly<{ failing: readonly FailingEndpoint[] }>) {
  const act = useStaffAct();
  const [chosen, setChosen] = useState<FailingEndpoint>();
  return (
    <div id="webhooks">
      <Card title={texts.title}>
        {failing.length === 0 ? (
          <p className="card-pad pt-0 soft">{texts.none}</p>
        ) : (
          <Table
            caption={texts.caption}
            columns={columnsOf(setChosen)}
            rows={failing}
            idOf={({ endpointId }) => endpointId}
          />
        )}
      </Card>
      {chosen !== undefined && (
        <Confirm
          title={texts.replayTitle}
          actLabel={texts.replayAct}
          onClose={() => setChosen(undefined)}
          onAct={async () => {
            const path = `/webhooks/${chosen.endpointId}/replay`;
            const { replayed, isWhole } = await replayFailed((body) => act({ path, body }));
            if (isWhole) toast(texts.replayed(replayed));
            else toast(texts.replayedSome(replayed), 'info');
          }}
        >
          <p>
            <ModeWord mode={chosen.mode} /> {chosen.merchant.name}
          </p>
          <p className="soft break">{texts.replayDetail(chosen.url)}</p>
        </Confirm>
      )}
    </div>
  );
}
