import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Team } from '../../api/team-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { team as texts } from '../../texts/en/team.ts';
import { AbilitiesCard } from './abilities-card.tsx';
import { InviteForm } from './invite-form.tsx';
import { PeopleTable } from './people-table.tsx';

export default function TeamScreen() {
  const { merchant } = useBook();
  const key = useBookKey();
  const inactive = useInactive();
  const [isInviting, setInviting] = useState(false);
  const found = useQuery({
    queryKey: key('people'),
    queryFn: ({ signal }) => call<Team>({ path: `/merchants/${merchant.id}/people`, signal }),
  });
  const team = found.data;
  const isAlone = team !== undefined && team.items.length === 1 && team.invitations.length === 0;
  return (
    <Page
      title={placeNames.team}
      intro={team === undefined ? merchant.name : texts.intro(merchant.name, team.items.length)}
      actions={
        <Button
          kind="main"
          icon="mail"
          inactive={inactive('people:write')}
          onClick={() => setInviting(true)}
        >
          {texts.invite}
        </Button>
      }
    >
      <div className="stack">
        {isAlone && (
          <Note tone="info">
            <p className="strong">{texts.alone}</p>
            <p>{texts.aloneDetail}</p>
          </Note>
        )}
        <Card title={texts.people}>
          {team !== undefined ? (
            <PeopleTable team={team} />
          ) : found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows />
          )}
        </Card>
        <AbilitiesCard />
      </div>
      {isInviting && <InviteForm onClose={() => setInviting(false)} />}
    </Page>
  );
}
