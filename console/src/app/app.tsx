import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Announcer } from '../parts/announce.tsx';
import { createConsoleRouter } from './router.tsx';

/** A call that may succeed later is made again this often. */
const RETRIES_MAX = 2;
const STALE_AFTER_MS = 15_000;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_AFTER_MS,
        // Old content stays while new is fetched, also without a connection.
        networkMode: 'always',
        retry: (count, error) =>
          count < RETRIES_MAX && (!(error instanceof ApiError) || error.retryable),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

export function App() {
  const [queries] = useState(createQueryClient);
  const [router] = useState(() => createConsoleRouter(queries));
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Announcer />
    </QueryClientProvider>
  );
}
