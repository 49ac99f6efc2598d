import type { Random } from '../../faults/plan/random.ts';
import { API, JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import type { Target } from '../target/target.ts';

export type Source = Readonly<{ random: Random; target: Target }>;

/** One kind of malformed request. Each request of it depends on the seed, and none may store anything. */
export type Kind = Readonly<{
  name: string;
  make: (source: Source) => Buffer;
  /** More than one answer would mean that two parties disagree about where a request ends. */
  answersMax?: 1;
  /** Odd, but a success is allowed: the service may ignore the oddity. */
  mayAccept?: true;
}>;

export const TRANSFERS = `${API}/transfers/mobile-money`;

/** A request written by hand: its lines unchanged, with correct line ends. */
export function raw(lines: readonly string[], body: string | Buffer = ''): Buffer {
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** A valid GET, with further header lines. */
export function ask(
  { target }: Source,
  headers: readonly string[] = [],
  path = '/wallets',
): Buffer {
  return writeRequest({ path: API + path, apiKey: target.attackerKey, headers });
}

/** A body sent with a valid head. */
export function send(
  { target }: Source,
  body: string | Buffer,
  options: Readonly<{ path?: string; headers?: readonly string[]; method?: string }> = {},
): Buffer {
  return writeRequest({
    method: options.method ?? 'POST',
    path: options.path ?? TRANSFERS,
    apiKey: target.attackerKey,
    headers: options.headers ?? [JSON_TYPE],
    body,
  });
}

/** The fields of a valid transfer as JSON texts, to be replaced one by one. */
export function transferFields({ random, target }: Source): Record<string, string> {
  return {
    amount: '1.50',
    reference: `"malformed-${random.between(1, 10 ** 12)}"`,
    phone: '"0977433571"',
    operator: '"airtel"',
    country: '"zm"',
    walletId: `"${target.attackerWalletId}"`,
  };
}

export function writeObject(fields: Readonly<Record<string, string>>): string {
  const members = Object.entries(fields).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${members.join(',')}}`;
}

export function randomLetters(random: Random, length: number): string {
  const start = random.between(0, 25);
  return Array.from({ length }, (_, index) =>
    String.fromCharCode(97 + ((start + index * 7) % 26)),
  ).join('');
}
