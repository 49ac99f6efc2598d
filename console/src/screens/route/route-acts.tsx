import { useState } from 'react';
import type { StaffRoute } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { routes } from '../../texts/en/routes.ts';
import { ReasonDialog } from '../staff/reason-dialog.tsx';

const texts = routes.acts;

type What = 'close' | 'open' | 'hold' | 'release';

const TITLES = {
  close: texts.closeTitle,
  open: texts.openTitle,
  hold: texts.holdTitle,
  release: texts.releaseTitle,
} as const;
const EFFECTS = {
  close: texts.closeSays,
  open: texts.openSays,
  hold: texts.holdSays,
  release: texts.releaseSays,
} as const;

/** What people can do with it as it is: a route that one stopped can only be started again. */
function actsOf({ state }: StaffRoute): readonly What[] {
  if (state === 'closed') return ['open'];
  return state === 'held' ? ['release'] : ['hold', 'close'];
}

export function RouteActs({ route }: Readonly<{ route: StaffRoute }>) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [chosen, setChosen] = useState<What>();
  const stops = (what: What) => what === 'close' || what === 'hold';
  return (
    <>
      {actsOf(route).map((what) => (
        <Button
          key={what}
          kind={stops(what) ? 'danger' : 'main'}
          inactive={inactive('routes:write')}
          onClick={() => setChosen(what)}
        >
          {texts[what]}
        </Button>
      ))}
      {chosen !== undefined && (
        <ReasonDialog
          title={TITLES[chosen](route.name)}
          actLabel={TITLES[chosen](route.name)}
          isDanger={stops(chosen)}
          needsStepUp
          inactive={inactive('routes:write')}
          onClose={() => setChosen(undefined)}
          onAct={async (reason) => {
            await act({
              path: `/routes/${encodeURIComponent(route.name)}/${chosen}`,
              body: { reason },
            });
            toast(texts.said(route.name, texts.done[chosen]));
          }}
        >
          <Note tone={stops(chosen) ? 'caution' : 'info'}>
            <p>
              {EFFECTS[chosen]} {texts.inBoth}{' '}
              {route.queued !== null && texts.waiting(route.queued)}
            </p>
          </Note>
        </ReasonDialog>
      )}
    </>
  );
}
