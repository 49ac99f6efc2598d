import { useMay, useSession } from '../../app/session.ts';
import type { Reader } from './whose-turn.ts';

export function useReader(): Reader {
  const { person } = useSession();
  return { id: person.id, mayResolve: useMay()('transfers:resolve') };
}
