import { type Command, Option } from 'commander';
import type { Mode } from '../domain/transfer.ts';
import { SCOPES } from '../merchants/authenticated-key.ts';
import { type StoredKey, standingOf } from '../merchants/find-key.ts';
import { findMerchantPlace } from '../merchants/find-merchant-place.ts';
import { type IssuedKey, issueKey } from '../merchants/issue-key.ts';
import { listKeys } from '../merchants/list-keys.ts';
import { readAddresses, readScopes } from '../merchants/read-key-rules.ts';
import { readName } from '../merchants/read-name.ts';
import { revokeKey } from '../merchants/revoke-key.ts';
import { rotateKey } from '../merchants/rotate-key.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  CALL,
  type Perform,
} from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { formatFields, formatTable, formatTime } from './format-table.ts';
import { readDuration, readMode } from './read-argument.ts';

const OVERLAP_DEFAULT_MS = 24 * 3_600_000;
const SHOWN_ONCE = 'This is the only time the key is shown: keep it in a safe place now.';
const LIFE_INHERITED =
  'It expires because the old one was to: rotate with --expires-in for another life.';
const KEY_ID = 'as shown by "keys list"; not the key itself';
const MERCHANT_OPTION = '--merchant <name-or-id>';

type CreateOptions = Readonly<{
  merchant: string;
  mode: Mode;
  name: string;
  scope?: readonly string[];
  address?: readonly string[];
  expiresIn?: number;
}>;

type RotateOptions = Readonly<{ overlap: number; now?: boolean; expiresIn?: number }>;

export function addKeyCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'keys',
    description: 'Create, list, rotate and revoke API keys',
  });
  addCreate(group, perform);
  addCommand(group, {
    name: 'list',
    description: 'List the keys of a merchant in both modes, newest first',
    examples: ['keys list --merchant Demo', 'keys list --merchant Demo --json'],
    notes: 'Shows names, scopes and ends: the keys themselves are not stored.',
  })
    .requiredOption(MERCHANT_OPTION, 'whose keys')
    .action((options: { merchant: string }) => perform((deps) => list(deps, options.merchant)));
  addCommand(group, {
    name: 'revoke',
    description: 'Revoke a key for good',
    examples: ['keys revoke 01890a5d-ac96-774b-bcce-b302099a8057'],
    notes: 'Every process refuses it within a second.',
  })
    .argument('<key-id>', KEY_ID)
    .action((id: string) => perform((deps) => revoke(deps, id)));
  addRotate(group, perform);
}

function addCreate(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'create',
    description: 'Create an API key',
    examples: [
      'keys create --merchant Demo --mode test',
      'keys create --merchant "Zambezi Tours" --mode live --name till --expires-in 90d',
      'keys create --merchant Demo --mode live --scope read --address 41.72.96.0/24 10.0.0.7',
    ],
    notes: `The key is shown once; only its hash is stored.
Scopes: ${SCOPES.join(', ')}; all when none is named.`,
  })
    .requiredOption(MERCHANT_OPTION, 'whose book it opens')
    .requiredOption('--mode <mode>', 'which book it opens: test or live', readMode)
    .option('--name <name>', 'what people call it', 'key')
    .addOption(new Option('--scope <scope...>', 'what it may do').choices([...SCOPES]))
    .option('--address <range...>', 'where it may be used from; anywhere when none is named')
    .option('--expires-in <time>', 'when it ends by itself: 30m, 24h, 90d', readDuration)
    .action((options: CreateOptions) => perform((deps) => create(deps, options)));
}

function addRotate(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'rotate',
    description: 'Replace a key with a new one of the same rights',
    examples: [
      'keys rotate 01890a5d-ac96-774b-bcce-b302099a8057',
      'keys rotate 01890a5d-ac96-774b-bcce-b302099a8057 --overlap 7d',
      'keys rotate 01890a5d-ac96-774b-bcce-b302099a8057 --now',
    ],
    notes:
      'A key that was to expire is followed by one with as long a life, unless --expires-in says otherwise.',
  })
    .argument('<key-id>', KEY_ID)
    .addOption(
      new Option('--overlap <time>', 'how long the old key still works')
        .argParser(readDuration)
        .default(OVERLAP_DEFAULT_MS, '24h'),
    )
    .addOption(new Option('--now', 'end the old key at once').conflicts('overlap'))
    .option('--expires-in <time>', 'when the new key ends by itself: 30m, 24h, 90d', readDuration)
    .action((id: string, options: RotateOptions) =>
      perform((deps) => {
        const overlapMs = options.now === true ? 0 : options.overlap;
        return rotate(deps, { id, overlapMs, lifeMs: options.expiresIn ?? null });
      }),
    );
}

async function create(deps: AdminDeps, options: CreateOptions): Promise<Answer> {
  const merchant = await findMerchantPlace(deps.directory, options.merchant);
  const { expiresIn } = options;
  const issued = await issueKey(deps, {
    actor: await authenticateActor(deps),
    bookId: merchant.books[options.mode],
    mode: options.mode,
    name: readName(options.name, 'key'),
    scopes: readScopes(options.scope ?? []),
    addresses: readAddresses(options.address ?? []),
    expiresAt: expiresIn === undefined ? null : new Date(deps.now().getTime() + expiresIn),
  });
  const key = { ...toIssuedJson(issued), merchant: merchant.name };
  return { json: { key }, text: `Key created for ${merchant.name}.\n\n${describeIssued(issued)}` };
}

async function list(deps: AdminDeps, nameOrId: string): Promise<Answer> {
  const merchant = await findMerchantPlace(deps.directory, nameOrId);
  const { keys, more } = await listKeys(deps.directory, merchant.id);
  const now = deps.now();
  const json = { keys: keys.map((key) => toJson(key, now)), more };
  if (keys.length === 0) {
    const advice = `Create one: ${CALL} keys create --merchant ${merchant.id} --mode test`;
    return { json, text: `${merchant.name} has no keys. ${advice}` };
  }
  const titles = [
    'id',
    'mode',
    'key',
    'name',
    'standing',
    'scopes',
    'addresses',
    'expires',
    'last used',
  ];
  const rows = keys.map((key) => [
    key.id,
    key.mode,
    key.hint,
    key.name,
    standingOf(key, now),
    key.scopes.join(','),
    key.addresses.length === 0 ? 'any' : key.addresses.join(','),
    formatTime(key.expiresAt),
    formatTime(key.lastUsedAt),
  ]);
  const table = formatTable(
    titles.map((title) => ({ title })),
    rows,
  );
  return { json, text: more ? `${table}\n… and more, which are not listed.` : table };
}

async function revoke(deps: AdminDeps, id: string): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { key, revokedAt, already } = await revokeKey(deps, { actor, id });
  const text = already
    ? `This key was revoked before, at ${formatTime(revokedAt)}. Nothing changed.`
    : `Key ${key.hint} of ${key.merchant} is revoked. Every process refuses it within a second.`;
  return { json: { key: toJson(key, deps.now()), already }, text };
}

async function rotate(
  deps: AdminDeps,
  request: Readonly<{ id: string; overlapMs: number; lifeMs: number | null }>,
): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const { issued, old } = await rotateKey(deps, { actor, ...request });
  const end =
    old.revokedAt === null
      ? `The old key ${old.hint} works until ${formatTime(old.expiresAt)}.`
      : `The old key ${old.hint} is revoked.`;
  const inherited = request.lifeMs === null && issued.expiresAt !== null;
  const life = inherited ? `\n${LIFE_INHERITED}` : '';
  return {
    json: {
      key: { ...toIssuedJson(issued), merchant: old.merchant },
      old: toJson(old, deps.now()),
    },
    text: `Key rotated for ${old.merchant}. ${end}\n\n${describeIssued(issued)}${life}`,
  };
}

function describeIssued(issued: IssuedKey): string {
  const fields = formatFields([
    ['key', issued.text],
    ['id', issued.id],
    ['mode', issued.mode],
    ['name', issued.name],
    ['scopes', issued.scopes.join(', ')],
    ['addresses', issued.addresses.length === 0 ? 'any' : issued.addresses.join(', ')],
    ['expires', formatTime(issued.expiresAt)],
  ]);
  return `${fields}\n\n${SHOWN_ONCE}`;
}

function toIssuedJson(issued: IssuedKey) {
  const { id, mode, name, scopes, addresses, createdAt, expiresAt, hint } = issued;
  return { apiKey: issued.text, id, mode, name, hint, scopes, addresses, createdAt, expiresAt };
}

function toJson(key: StoredKey, now: Date) {
  const { bookId: _book, merchantId: _merchant, ...shown } = key;
  return { ...shown, standing: standingOf(key, now) };
}
