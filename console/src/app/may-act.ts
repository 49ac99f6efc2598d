import { shell } from '../texts/en/shell.ts';
import { type Permission, useRolesNeeded } from './session.ts';
import { useIsConnected } from './stream.tsx';

/** Why a button cannot be used now: the person lacks the role, or the connection is lost. */
export function useInactive(): (permission: Permission) => string | undefined {
  const rolesNeeded = useRolesNeeded();
  const isConnected = useIsConnected();
  return (permission) => {
    const needed = rolesNeeded(permission);
    if (needed !== undefined) return shell.onlyRoles(needed);
    return isConnected ? undefined : shell.offline.inactive;
  };
}
