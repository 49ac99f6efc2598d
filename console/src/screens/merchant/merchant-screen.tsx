import { Link, useParams } from '@tanstack/react-router';
import type { Merchant } from '../../api/staff-types.ts';
import { Page } from '../../app/page.tsx';
import { useStaffQuery } from '../../app/staff-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { Id, Tag } from '../../parts/words.tsx';
import { merchant as texts } from '../../texts/en/merchants.ts';
import { placeNames } from '../../texts/en/places.ts';
import { FeesCard } from './fees-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { PeopleCard } from './people-card.tsx';
import { SuspendAct } from './suspend-act.tsx';
import { TakeBacksCard } from './take-backs-card.tsx';
import { WalletsCard } from './wallets-card.tsx';

export default function MerchantScreen() {
  const { merchantId = '' } = useParams({ strict: false });
  const found = useStaffQuery<Merchant>({ path: `/merchants/${merchantId}` });
  const merchant = found.data;
  return (
    <Page
      title={merchant?.name ?? placeNames.merchant}
      crumbs={[
        <Link key="list" to="/staff/merchants">
          {placeNames.merchants}
        </Link>,
        merchant?.name ?? placeNames.merchant,
      ]}
      intro={merchant === undefined ? undefined : <MerchantFacts merchant={merchant} />}
      actions={
        merchant === undefined ? undefined : <SuspendAct key={merchant.id} merchant={merchant} />
      }
    >
      <Loaded found={found} rows={8}>
        {(one) => (
          <div className="stack" key={one.id}>
            {one.suspendedAt !== null && (
              <Note tone="bad">
                <p>
                  {texts.suspendedNote} <Time at={one.suspendedAt} />.
                </p>
              </Note>
            )}
            <WalletsCard merchant={one} />
            <TakeBacksCard merchant={one} />
            <KeysCard merchant={one} />
            <div className="grid g2">
              <FeesCard merchant={one} />
              <PeopleCard merchant={one} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function MerchantFacts({ merchant }: Readonly<{ merchant: Merchant }>) {
  return (
    <span className="head-facts">
      {merchant.suspendedAt !== null && <Tag tone="bad">{texts.suspended}</Tag>}
      <span>
        {texts.created} <Time at={merchant.createdAt} />
      </span>
      <Id id={merchant.id} whole what={texts.id} />
      <Link to="/staff/transfers" search={{ merchantId: merchant.id }}>
        {texts.transfers}
      </Link>
      <Link to="/staff/audit" search={{ merchantId: merchant.id }}>
        {texts.audit}
      </Link>
    </span>
  );
}
