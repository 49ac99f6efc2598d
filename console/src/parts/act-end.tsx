import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Refused } from './failure.tsx';

type Given = Readonly<{
  error: unknown;
  isBusy: boolean;
  /** Another button, at the left. It is inactive while the act is under way. */
  aside: ReactNode;
  actLabel: string;
  isDanger: boolean;
  inactive: string | undefined;
}>;

/** The end of a form that acts: why the act was refused, the way out, and the button. */
export function ActEnd({ error, isBusy, aside, actLabel, isDanger, inactive }: Given) {
  return (
    <>
      {error !== undefined && <Refused error={error} hasFields />}
      <div className="actions actions-end">
        <span className="act-aside" inert={isBusy}>
          {aside}
        </span>
        <Button
          type="submit"
          kind={isDanger ? 'danger' : 'main'}
          isBusy={isBusy}
          inactive={inactive}
        >
          {actLabel}
        </Button>
      </div>
    </>
  );
}
