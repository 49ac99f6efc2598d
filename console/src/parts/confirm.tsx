import type { ReactNode } from 'react';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Refused } from './failure.tsx';
import { useHalfTyped } from './half-typed.tsx';
import { useTypedCount } from './typed-count.tsx';
import { useRun } from './use-run.ts';

type Given = Readonly<{
  title: string;
  /** The `Says` box, and what else is worth knowing. */
  children: ReactNode;
  /** Verb, count, sum and currency: "Cancel 2 payouts, ZMW 2,150.00". */
  actLabel: string;
  keepLabel?: string;
  isDanger?: boolean;
  /** How many payouts are meant. */
  count?: number;
  inactive?: string | undefined;
  onAct: () => Promise<unknown>;
  onClose: () => void;
}>;

/** A question before an act. It closes after the act; when the act is refused it stays and says why. */
export function Confirm({ title, ...rest }: Given) {
  return (
    <Dialog title={title} onClose={rest.onClose}>
      <Question {...rest} />
    </Dialog>
  );
}

function Question(given: Omit<Given, 'title'>) {
  const { children, actLabel, keepLabel, isDanger = false, onAct, onClose } = given;
  const halfTyped = useHalfTyped();
  const typedCount = useTypedCount(given.count);
  const inactive = given.inactive ?? halfTyped ?? typedCount.inactive;
  const { isBusy, error, run } = useRun();
  const act = async () => {
    await onAct();
    onClose();
  };
  return (
    <div className="form">
      {children}
      {typedCount.field}
      {error !== undefined && <Refused error={error} hasFields />}
      <div className="actions actions-end">
        <Button inactive={isBusy && shell.underWay} onClick={onClose}>
          {keepLabel ?? shell.cancel}
        </Button>
        <Button
          kind={isDanger ? 'danger' : 'main'}
          isBusy={isBusy}
          inactive={inactive}
          onClick={() => void run(act)}
        >
          {actLabel}
        </Button>
      </div>
    </div>
  );
}
