import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { PartFailed, sayError } from './failure.tsx';
import { LoadingRows } from './loading.tsx';
import { MissingCells } from './missing-cells.tsx';
import { Note } from './note.tsx';
import { Time } from './time.tsx';

type Given<T> = Readonly<{
  found: UseQueryResult<T>;
  title?: string;
  rows?: number;
  children: (data: T) => ReactNode;
}>;

/** The loaded content, or a card that says that it loads or could not be loaded. */
export function Loaded<T>({ found, title, rows = 4, children }: Given<T>) {
  if (found.data !== undefined) {
    return (
      <>
        <OldAnswer found={found} />
        <MissingCells answer={found.data} />
        {children(found.data)}
      </>
    );
  }
  return (
    <Card title={title}>
      {found.isError ? (
        <PartFailed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows rows={rows} />
      )}
    </Card>
  );
}

/** A note that the content is old because loading it again failed; else nothing. */
export function OldAnswer({ found }: Readonly<{ found: UseQueryResult }>) {
  if (!found.isError || found.data === undefined) return null;
  return (
    <Note
      tone="caution"
      action={
        <Button size="sm" onClick={() => void found.refetch()}>
          {shell.tryAgain}
        </Button>
      }
    >
      <p>
        {sayError(found.error)} {shell.errors.seenIsFrom}{' '}
        <Time at={new Date(found.dataUpdatedAt).toISOString()} />.
      </p>
    </Note>
  );
}
