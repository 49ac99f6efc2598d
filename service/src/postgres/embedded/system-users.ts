import { readFile } from 'node:fs/promises';

/** A user of this machine. */
export type SystemUser = Readonly<{ name: string; uid: number; gid: number }>;

/** The users of this machine that are in its local list. */
export async function readSystemUsers(): Promise<readonly SystemUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
