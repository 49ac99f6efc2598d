import { useQuery } from '@tanstack/react-query';
import type { StaffOverview } from '../api/staff-types.ts';
import { Count } from '../parts/tabs.tsx';
import { shell } from '../texts/en/shell.ts';
import { callStaff } from './staff-api.ts';

/** The counts are for orientation: they need not follow every payout. */
const EVERY_MS = 15_000;

function useCounts() {
  return useQuery({
    queryKey: ['staff counts'],
    queryFn: ({ signal }) => callStaff<StaffOverview>({ path: '/overview', signal }),
    select: ({ doubts, incidents }) => ({ doubts: doubts.count, incidents: incidents.open }),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
  }).data;
}

export function DoubtCount() {
  const counts = useCounts();
  if (counts === undefined || counts.doubts === 0) return null;
  return (
    <>
      <Count count={counts.doubts} tone="doubt" />
      <span className="visually-hidden">{shell.counts.doubts}</span>
    </>
  );
}

export function IncidentCount() {
  const counts = useCounts();
  if (counts === undefined || counts.incidents === 0) return null;
  return (
    <>
      <Count count={counts.incidents} />
      <span className="visually-hidden">{shell.counts.incidents}</span>
    </>
  );
}
