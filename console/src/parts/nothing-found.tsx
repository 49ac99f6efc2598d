import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Empty } from './empty.tsx';

type Given = Readonly<{
  texts: Readonly<{ nothing: string; clear: string }>;
  onClear: () => void;
  /** Beside the button that clears all. */
  otherActs?: ReactNode;
  children: ReactNode;
}>;

/** Filters leave no row: says so, and clears them. */
export function NothingFound({ texts, onClear, otherActs, children }: Given) {
  return (
    <Empty
      icon="search"
      title={texts.nothing}
      actions={
        <>
          <Button kind="main" onClick={onClear}>
            {texts.clear}
          </Button>
          {otherActs}
        </>
      }
    >
      {children}
    </Empty>
  );
}
