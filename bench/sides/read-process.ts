import { readdirSync, readFileSync } from 'node:fs';

/**
 * What the system reports about a process. Only Linux has it in files; elsewhere there are no figures of cost and
 * memory, and everything else works.
 */

const NS_PER_US = 1_000;
const KIB_PER_MIB = 1_024;

/** The CPU time that a process has used, all its threads together. Undefined if unknown. */
export function cpuUsOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`))
      .reduce((sumUs, text) => sumUs + Number(text.split(' ')[0]) / NS_PER_US, 0);
  } catch {
    return undefined;
  }
}

/** The same for all children of a process, such as the server processes of PostgreSQL. */
export function cpuUsOfChildren(parentPid: number): number | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === parentPid)
      .reduce((sumUs, name) => sumUs + (cpuUsOf(Number(name)) ?? 0), 0);
  } catch {
    return undefined;
  }
}

export function parentOf(pid: number): number | undefined {
  try {
    // The name is in parentheses and may contain anything; what follows is plain.
    const stat = read(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** The resident memory of a process. */
export function residentMbOf(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
    return kib === undefined ? undefined : Number(kib) / KIB_PER_MIB;
  } catch {
    return undefined;
  }
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
