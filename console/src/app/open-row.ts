import { useNavigate, useSearch } from '@tanstack/react-router';

export type OpenRow = Readonly<{ open: string | undefined; toggle: (id: string) => void }>;

/** The row of a list that is open, kept in the address. */
export function useOpenRow(): OpenRow {
  const navigate = useNavigate();
  const { open } = useSearch({ strict: false }) as { open?: string };
  return {
    open,
    toggle: (id) =>
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, open: open === id ? undefined : id }) as never,
        resetScroll: false,
      }),
  };
}
