import { useState } from 'react';
import { useKeepOpen } from './dialog.tsx';

/**
 * Runs an act of the reader: whether it is under way, and what went wrong the last time. Its dialog stays open until
 * the end.
 */
export function useRun() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useKeepOpen(isBusy);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
