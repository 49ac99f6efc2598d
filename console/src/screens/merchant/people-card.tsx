import { useState } from 'react';
import type { Merchant } from '../../api/staff-types.ts';
import { useInactive } from '../../app/staff-api.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { listAnd } from '../../texts/plural.ts';
import { InviteDialog } from '../staff/invite-dialog.tsx';

const texts = words.people;
type Person = Merchant['people'][number];

function columnsOf(merchant: Merchant): readonly Column<Person>[] {
  return [
    {
      key: 'name',
      head: texts.name,
      isRowHead: true,
      fold: 'main',
      cell: ({ name, email }) => (
        <span className="two">
          {name}
          <small className="break">{email}</small>
        </span>
      ),
    },
    {
      key: 'roles',
      head: texts.roles,
      fold: 'state',
      cell: ({ roles }) =>
        listAnd(
          roles.map(({ role, bookId }) => {
            const book = merchant.books.find(({ id }) => id === bookId);
            return book === undefined ? role : texts.inOne(role, shell.modes[book.mode].word);
          }),
        ),
    },
  ];
}

export function PeopleCard({ merchant }: Readonly<{ merchant: Merchant }>) {
  const inactive = useInactive();
  const [isInviting, setInviting] = useState(false);
  return (
    <Card title={texts.title}>
      {merchant.people.length === 0 ? (
        <div className="card-pad pt-0 stack-s">
          <p className="soft">{texts.empty}</p>
          <div>
            <Button inactive={inactive('staff:write')} onClick={() => setInviting(true)}>
              {texts.invite}
            </Button>
          </div>
        </div>
      ) : (
        <Table
          caption={texts.caption}
          columns={columnsOf(merchant)}
          rows={merchant.people}
          idOf={({ id }) => id}
        />
      )}
      {isInviting && <InviteDialog merchant={merchant} onClose={() => setInviting(false)} />}
    </Card>
  );
}
