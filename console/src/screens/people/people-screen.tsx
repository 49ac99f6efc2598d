import { useState } from 'react';
import type { StaffInvitation, StaffPerson } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { useInactive, useStaffQuery } from '../../app/staff-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Table } from '../../parts/table.tsx';
import { Paging } from '../../parts/table-strip.tsx';
import { people as texts } from '../../texts/en/people.ts';
import { placeNames } from '../../texts/en/places.ts';
import { InviteDialog } from '../staff/invite-dialog.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { peopleColumns } from './people-columns.tsx';
import { type Chosen, PersonDialog } from './person-dialog.tsx';

type People = Readonly<{
  items: readonly StaffPerson[];
  invitations: readonly StaffInvitation[];
}>;

export default function PeopleScreen() {
  const found = useStaffQuery<People>({ path: '/people' });
  const { person } = useSession();
  const inactive = useInactive();
  const [isInviting, setInviting] = useState(false);
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <Page
      title={placeNames.people}
      intro={texts.intro}
      actions={
        <Button
          kind="main"
          icon="plus"
          inactive={inactive('staff:write')}
          onClick={() => setInviting(true)}
        >
          {texts.invite.act}
        </Button>
      }
    >
      <Loaded found={found}>
        {({ items, invitations }) => (
          <div className="stack">
            <Card>
              {items.length === 0 ? (
                <Empty icon="people" title={texts.empty}>
                  {texts.emptyDetail}
                </Empty>
              ) : (
                <>
                  <Table
                    caption={texts.caption}
                    columns={peopleColumns({ myId: person.id, onChoose: setChosen })}
                    rows={items}
                    idOf={({ id }) => id}
                  />
                  <Paging
                    summary={`${texts.count(items.length)} · ${texts.order}`}
                    asOf={found.dataUpdatedAt}
                  />
                </>
              )}
            </Card>
            <InvitationsCard invitations={invitations} />
            <Card title={texts.what.title} isPadded>
              <Facts
                facts={[
                  ['admin', texts.what.admin],
                  ['treasurer', texts.what.treasurer],
                  ['support', texts.what.support],
                  ['auditor', texts.what.auditor],
                ]}
              />
            </Card>
          </div>
        )}
      </Loaded>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {chosen !== undefined && (
        <PersonDialog chosen={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Page>
  );
}
