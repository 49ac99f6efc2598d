import { KafueError } from '../kafue-error.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** Deletes what is at the path. Gone after an attempt that may have been done, it is deleted: the answer was lost. */
export async function deleteOnce(
  transport: Transport,
  { path, options }: Readonly<{ path: string; options: CallOptions | undefined }>,
): Promise<void> {
  try {
    await transport.call<unknown>({ method: 'DELETE', path, options, isRepeatable: true });
  } catch (error) {
    const isGone = error instanceof KafueError && error.status === 404 && error.mayHaveBeenDone;
    if (!isGone) throw error;
  }
}
