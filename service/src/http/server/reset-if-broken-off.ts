import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * Has the connection reset if it ends before the answer that has begun on it: by an error, a bound, a stop of the server
 * or the client itself. HTTP/1.0, which nginx speaks to its upstreams by default, has no chunks: there the end of the
 * connection is the end of the answer, and a file that is broken off would look whole.
 */
export function resetIfBrokenOff(response: ServerResponse): void {
  const { socket } = response;
  // The last chunk is missing of what is broken off. A reset could take answers along that were sent before it.
  if (response.chunkedEncoding || !(socket instanceof Socket)) return;
  const destroy = socket.destroy.bind(socket);
  // Here, because every way to end a connection calls it, those of Node too.
  socket.destroy = (error) => {
    socket.destroy = destroy;
    return response.writableFinished ? destroy(error) : socket.resetAndDestroy();
  };
  // When a client ends its side, Node ends ours at once, also in the middle of an answer.
  socket.prependListener('end', () => {
    if (!response.writableFinished) socket.destroy();
  });
}
