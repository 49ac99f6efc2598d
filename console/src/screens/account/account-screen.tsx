import { Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.ts';
import { account } from '../../texts/en/account.ts';
import { DisplayCard } from './display-card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export default function AccountScreen() {
  const { person } = useSession();
  return (
    <Page title={account.title} intro={`${person.name} · ${person.email}`}>
      <div className="grid g2 g-top">
        <div className="stack">
          <FactorsCard />
          <PasswordCard />
        </div>
        <div className="stack">
          <DisplayCard />
          <SessionsCard />
        </div>
      </div>
    </Page>
  );
}
