import type { ComponentProps } from 'react';
import { shell } from '../texts/en/shell.ts';
import { ActEnd } from './act-end.tsx';
import { Button } from './button.tsx';
import { useHalfTyped } from './half-typed.tsx';
import { StepUp } from './step-up.tsx';
import { useTypedCount } from './typed-count.tsx';
import { useRun } from './use-run.ts';

type Given = Omit<ComponentProps<typeof StepUp>, 'title'> &
  Readonly<{
    /** False where no second factor is asked, as in test books. */
    needsFactor: boolean;
    onKeep: () => void;
    keepLabel?: string;
    /** How many payouts are meant. */
    count?: number | undefined;
  }>;

/** The end of a form or question: with the second factor where the act needs one, else a button. */
export function GuardedAct({ needsFactor, onKeep, keepLabel, count, ...act }: Given) {
  const keep = <Button onClick={onKeep}>{keepLabel ?? shell.cancel}</Button>;
  return needsFactor ? (
    <StepUp title={shell.stepUp.title} aside={keep} {...act} />
  ) : (
    <PlainAct aside={keep} count={count} {...act} />
  );
}

function PlainAct(given: Omit<Given, 'needsFactor' | 'onKeep' | 'keepLabel'>) {
  const { children, actLabel, isDanger = false, aside, onAct } = given;
  const halfTyped = useHalfTyped();
  const typedCount = useTypedCount(given.count);
  const inactive = given.inactive ?? halfTyped ?? typedCount.inactive;
  const { isBusy, error, run } = useRun();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && inactive === undefined) void run(onAct);
      }}
    >
      {children}
      {typedCount.field}
      <ActEnd {...{ error, isBusy, aside, actLabel, isDanger, inactive }} />
    </form>
  );
}
