import { useState } from 'react';
import { useChanges } from './stream.tsx';

/**
 * How many objects of a kind appeared since the list was loaded. Rows are never pushed in: the list says how many there
 * are and shows them on request.
 */
export function useNewer(
  what: string,
  isKnown: (id: string) => boolean,
): Readonly<{ count: number; clear: () => void }> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useChanges((change) => {
    if (change.what === what && !isKnown(change.id))
      setIds((known) => new Set([...known, change.id]));
  });
  return { count: ids.size, clear: () => setIds(new Set()) };
}
