import { Page } from '../../app/page.tsx';
import { callStaff, useInactive } from '../../app/staff-api.ts';
import { lists as texts } from '../../texts/en/lists.ts';
import { placeNames } from '../../texts/en/places.ts';
import type { EntryHome } from '../limits/entry-home.ts';
import { EntryList } from '../limits/entry-list.tsx';

const COMPANY: EntryHome = {
  isCompanys: true,
  api: callStaff,
  key: (...rest) => ['staff', ...rest],
  needsFactor: true,
};

/** The company's own deny list: it holds for every merchant. */
export default function CompanyListScreen() {
  const inactive = useInactive()('merchants:write');
  return (
    <Page title={placeNames.denied} intro={texts.company.intro}>
      <EntryList list="deny" home={COMPANY} inactive={inactive} />
    </Page>
  );
}
