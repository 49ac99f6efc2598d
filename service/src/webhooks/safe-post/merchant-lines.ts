import { createHttpLine, type HttpLine } from '../../wire/http-line.ts';
import { isLoopbackUrl } from '../webhook-url.ts';
import { createCheckedLookup, type ResolveHost } from './resolve-host.ts';

/** Idle connections that are kept for the next delivery to the same host, and for how long. */
const IDLE_PER_HOST_MAX = 8;
const IDLE_MS = 4_000;

type LineDeps = Readonly<{
  resolve: ResolveHost;
  isOwn: (ip: string) => boolean;
  monotonicMs: () => number;
  ca?: string;
}>;

/** The lines to the hosts that merchants chose. */
export interface MerchantLines {
  to(url: URL): HttpLine;
  /** A line for requests that keep no connection, so that each has a new one. */
  anewTo(url: URL): HttpLine;
  destroy(): void;
}

type Kept = { readonly line: HttpLine; usedMs: number };

/**
 * One line for each host, as long as it is used. Every address is checked before a socket connects to it. A kept
 * connection was checked for the same host, and the URL alone decides which addresses a host may have, so a kept
 * connection never bypasses a check.
 */
export function createMerchantLines(deps: LineDeps): MerchantLines {
  const lines = new Map<string, Kept>();
  let sweptMs = deps.monotonicMs();

  /** There are as many lines as hosts that were used lately, and not as many as merchants have ever named. */
  function sweep(nowMs: number): void {
    if (nowMs - sweptMs < IDLE_MS) return;
    sweptMs = nowMs;
    for (const [name, { line, usedMs }] of lines) {
      if (line.underWay() > 0 || nowMs - usedMs < IDLE_MS) continue;
      lines.delete(name);
      line.destroy();
    }
  }

  function open(url: URL): HttpLine {
    return createHttpLine({
      origin: url.origin,
      connectionsMax: null,
      keptMax: IDLE_PER_HOST_MAX,
      keepAliveMs: IDLE_MS,
      lookup: createCheckedLookup(deps, { toLoopback: isLoopbackUrl(url) }),
      ...(deps.ca === undefined ? {} : { ca: deps.ca }),
    });
  }

  function find(name: string, url: URL): HttpLine {
    const nowMs = deps.monotonicMs();
    sweep(nowMs);
    const kept = lines.get(name) ?? { line: open(url), usedMs: nowMs };
    kept.usedMs = nowMs;
    lines.set(name, kept);
    return kept.line;
  }

  return {
    to: (url) => find(url.origin, url),
    anewTo: (url) => find(`${url.origin} anew`, url),
    destroy() {
      for (const { line } of lines.values()) line.destroy();
    },
  };
}
