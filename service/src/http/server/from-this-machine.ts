import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from './client-address.ts';

/** A request as it came over its socket. */
export type DirectRequest = Readonly<{
  headers: IncomingHttpHeaders;
  httpVersion: string;
  /** The port that it came in at; undefined once the socket is closed. */
  localPort: number | undefined;
  /** The other end of the socket. */
  peer: string;
  /** The other end is one of TRUSTED_PROXIES. */
  isFromProxy: boolean;
}>;

/** Headers in which proxies name the client. */
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-envoy-.*)$/;
const HTTP_PORT = 80;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::(\d{1,5}))?$/i;

/**
 * Whether a program on this machine sent the request itself. A proxy on this machine connects from the same address,
 * and a plain proxy adds no header. But it passes on the Host that its client sent, or uses HTTP/1.0 as nginx does by
 * default. Through a proxy that passes Host on, a client can send any Host: only a token protects there.
 */
export function isFromThisMachine(request: DirectRequest): boolean {
  const { headers, httpVersion, localPort, peer, isFromProxy } = request;
  if (!isLoopback(peer) || isFromProxy || httpVersion === '1.0') return false;
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name))) return false;
  const [host, port = HTTP_PORT] = LOCAL_HOST.exec(headers.host ?? '') ?? [];
  return host !== undefined && Number(port) === localPort;
}
