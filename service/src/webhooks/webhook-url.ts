import { isIP } from 'node:net';
import type { Mode } from '../domain/transfer.ts';
import { isLoopbackAddress } from './safe-address.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2_000;

/** The usual https ports; any other could reach services that are not for merchants. */
const PORTS: readonly string[] = ['443', '8443'];
const DEFAULT_PORT = '443';

/** Names that have a meaning only inside a private network. */
const INSIDE_NAMES: readonly string[] = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'svc',
  'consul',
  'arpa',
  'onion',
];

/** Public names that resolve to the address written in them, or to 127.0.0.1. */
const ECHOING_NAMES: readonly string[] = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
];

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Never a number: a name that ends in one is an address or may be mistaken for one. */
const LAST_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const NAME_LENGTH_MAX = 253;
/** The URL parser drops or changes these silently, so that people and programs would see different URLs. */
const SURPRISING = /[\s\\\p{Cc}\p{Cf}\p{Zs}]/u;

export type WebhookUrlRules = Readonly<{
  mode: Mode;
  /** WEBHOOKS_TO_LOOPBACK: the books that may use loopback, with http too. */
  toLoopback: readonly Mode[];
}>;

/**
 * Reads the URL of an endpoint; undefined when it may not be used. It is checked after parsing, when 0x7f.1, full-width
 * digits and circled letters have become the host that they mean. The addresses of the name are checked at each
 * delivery, because they can change.
 */
export function checkWebhookUrl(text: string, rules: WebhookUrlRules): URL | undefined {
  if (text.length > WEBHOOK_URL_LENGTH_MAX || SURPRISING.test(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Encoding can make it longer.
  if (url === undefined || url.href.length > WEBHOOK_URL_LENGTH_MAX) return undefined;
  if (url.username !== '' || url.password !== '' || text.includes('#')) return undefined;
  if (isLoopbackUrl(url)) return rules.toLoopback.includes(rules.mode) ? url : undefined;
  if (url.protocol !== 'https:') return undefined;
  if (!PORTS.includes(url.port === '' ? DEFAULT_PORT : url.port)) return undefined;
  return isPublicName(url.hostname) ? url : undefined;
}

/** Whether it leads to this machine by http or https; its address must then be loopback. */
export function isLoopbackUrl({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return host === 'localhost' || isLoopbackAddress(host);
}

function isPublicName(name: string): boolean {
  if (isIP(name) !== 0 || name.length > NAME_LENGTH_MAX) return false;
  const labels = name.split('.');
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return false;
  if (!LAST_LABEL.test(labels.at(-1) ?? '')) return false;
  const isBelow = (parent: string) => name === parent || name.endsWith(`.${parent}`);
  return !INSIDE_NAMES.some(isBelow) && !ECHOING_NAMES.some(isBelow);
}
