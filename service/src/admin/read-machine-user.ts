import { userInfo } from 'node:os';

/** The account that runs this process. A container may have an account without a name: then its number. */
export function readMachineUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
