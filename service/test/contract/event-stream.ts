import { type IncomingMessage, request } from 'node:http';
import type { Fields } from './api-client.ts';

export type OpenedStream = Readonly<{
  status: number;
  contentType: string;
  /** Everything that came so far. */
  text(): string;
  /** The data of every `changed` event so far. */
  changes(): readonly Fields[];
  isEnded(): boolean;
  close(): void;
}>;

type Place = Readonly<{ headers: Readonly<Record<string, string>>; path: string }>;

/** Opens a stream and resolves once its head, or the whole refusal, is there. */
export async function openStream(baseUrl: string, { headers, path }: Place): Promise<OpenedStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request(`${baseUrl}/api/v1/${path}`, { headers, agent: false }, resolve);
    asked.on('error', reject);
    asked.end();
  });
  let text = '';
  let isEnded = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => undefined);
  response.on('close', () => {
    isEnded = true;
  });
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    text: () => text,
    changes: () =>
      [...text.matchAll(/^event: changed\ndata: (.*)\n\n/gm)].map(
        ([, line = '']) => JSON.parse(line) as Fields,
      ),
    isEnded: () => isEnded,
    close: () => response.destroy(),
  };
}
