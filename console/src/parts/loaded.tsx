import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { PartFailed } from './failure.tsx';
import { LoadingRows } from './loading.tsx';
import { MissingCells } from './missing-cells.tsx';

type Given<T> = Readonly<{
  found: UseQueryResult<T>;
  title?: string;
  rows?: number;
  children: (data: T) => ReactNode;
}>;

/** What was asked for, or in its place a card that says that it loads or could not be loaded. */
export function Loaded<T>({ found, title, rows = 4, children }: Given<T>) {
  if (found.data !== undefined) {
    return (
      <>
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
