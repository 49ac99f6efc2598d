import { refuse } from '../../domain/refusal.ts';
import type { Arrival } from './caller.ts';

/**
 * Throws unless a request that may change something comes from our own pages, or from a program that is no browser.
 * Browsers send Sec-Fetch-Site or Origin with every such request, and no page can forge them.
 */
export function refuseOtherOrigins({ method, headers }: Pick<Arrival, 'method' | 'headers'>): void {
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') throw refuse('FORBIDDEN', FOREIGN);
  const { origin, host = '' } = headers;
  if (origin !== undefined && !isOf(origin, host)) throw refuse('FORBIDDEN', FOREIGN);
}

/** The scheme is not compared: a proxy may have ended TLS. */
function isOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

const FOREIGN = {
  message: 'The request comes from a page of another origin. Nothing was changed.',
};
