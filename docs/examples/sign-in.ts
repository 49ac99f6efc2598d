import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A person of the demo merchant, as the first start wrote them down. */
type Person = { email: string; password: string; totpSecret: string };

const { baseUrl, people } = JSON.parse(await readFile('data/demo.json', 'utf8')) as {
  baseUrl: string;
  people: Person[];
};

/** The six digits that an authenticator app shows, of the given step of 30 seconds (RFC 6238). */
function codeOf({ totpSecret }: Person, step: number): string {
  const bits = Array.from(totpSecret, (char) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(char).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function post(path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: baseUrl, cookie };
  const answer = await fetch(`${baseUrl}/api/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer;
}

for (const name of process.argv.slice(2)) {
  const person = people.find(({ email }) => email.startsWith(`${name}@`));
  if (person === undefined) throw new Error(`${name} is none of the demo people`);
  const step = Math.floor(Date.now() / 30_000);
  const { email, password } = person;
  // Each code counts once. The next one is taken too: the clock of a phone may be fast.
  const session = await post('session', { email, password, code: codeOf(person, step) });
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  await post('session/step-up', { code: codeOf(person, step + 1) }, cookie);
  const { data } = (await session.json()) as {
    data: { memberships: { books: { id: string; mode: string }[] }[] };
  };
  const book = data.memberships[0]?.books.find(({ mode }) => mode === 'test');
  console.log(`export ${name.toUpperCase()}='${cookie}' BOOK_ID=${book?.id}`);
}
