import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDemoPeople } from '../people/demo-people.ts';
import { totpCodeAt } from '../people/totp.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { CommandRefused } from './command-refused.ts';
import { formatFields } from './format-table.ts';

const DATA_DIR_DEFAULT = 'data';

/** The code of a person of demo.json: a newcomer has no authenticator app with its secret. */
export async function showDemoCode(
  { env, now }: Pick<AdminDeps, 'env' | 'now'>,
  email: string,
): Promise<Answer> {
  const path = join(env['DATA_DIR'] || DATA_DIR_DEFAULT, 'demo.json');
  const people = (await readPeople(path)) ?? [];
  const person = people.find((known) => known.email === email);
  if (person === undefined) {
    throw new CommandRefused(
      `There is no demo person with this address in ${path}.`,
      people.length === 0
        ? 'npm start makes them, on the embedded database alone. Other people take the code from their authenticator app.'
        : `Choose from ${people.map((known) => known.email).join(', ')}. Other people take the code from their authenticator app.`,
    );
  }
  const { code, secondsLeft } = totpCodeAt(person.totpSecret, now());
  const fields = formatFields([
    ['email', email],
    ['password', person.password],
    ['code', code],
    ['valid for', `${secondsLeft} s`],
  ]);
  return {
    json: { email, code, secondsLeft },
    text: `${fields}\n\nA code works once. For the next one, run it again: ${CALL} people code ${email}`,
  };
}

async function readPeople(path: string) {
  try {
    const file: unknown = JSON.parse(await readFile(path, 'utf8'));
    const isObject = typeof file === 'object' && file !== null;
    return readDemoPeople(isObject ? Reflect.get(file, 'people') : undefined);
  } catch {
    return undefined;
  }
}
