import { harmless } from '../domain/harmless-text.ts';
import { hideNumber } from '../domain/hide-number.ts';
import { removeSecrets } from '../operators/wire/wire-record.ts';
import type { Timeline } from '../timelines/read-timeline.ts';
import type { CallbackOf } from '../timelines/visit-entry.ts';
import type { KnownSecrets } from './known-secrets.ts';

/** Enough to see what it says; the whole of it is in the database. */
const RAW_SHOWN_MAX = 500;

export type Cleaning = Readonly<{ secretsOf: KnownSecrets; reveal: boolean }>;

/** Makes a text of an operator, or about a transfer, fit to be shown. */
export type Clean = (text: string, raw?: Readonly<{ route: string }>) => string;

/**
 * Removes secrets before it cuts the text, so that no half of a secret is left at the cut. The number of the recipient
 * is masked unless `reveal` is set.
 */
export function cleanFor({ transfer }: Timeline, { secretsOf, reveal }: Cleaning): Clean {
  const hide = reveal ? (text: string) => text : hideNumber(transfer.phone);
  return (text, raw) => {
    if (raw === undefined) return harmless(hide(text));
    const clean = Array.from(harmless(hide(removeSecrets(text, secretsOf(raw.route)))));
    const rest = clean.length - RAW_SHOWN_MAX;
    return rest <= 0 ? clean.join('') : `${clean.slice(0, RAW_SHOWN_MAX).join('')}… (${rest} more)`;
  };
}

export function bodyOf(callback: CallbackOf): string {
  return callback.body.toString('utf8');
}
