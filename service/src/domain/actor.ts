/** Who acts. A driver authenticates it and hands it to the use case, which records it with what was done. */
export type Actor = PersonActor | KeyActor | MachineActor | SystemActor;

/** A person with a session, or with an administrator's key on the command line. */
export type PersonActor = Readonly<{
  kind: 'person';
  id: string;
  name: string;
  /** Acts as one of this merchant's people; absent: as one of the staff. */
  merchantId?: string;
}>;

/** A merchant's program with an API key. */
export type KeyActor = Readonly<{ kind: 'key'; id: string }>;

/** A user of the machine, who showed no key but has the rights of the owner of the tables. */
export type MachineActor = Readonly<{ kind: 'machine'; user: string; host: string }>;

/** The service itself, such as when it makes the demo merchant. */
export type SystemActor = Readonly<{ kind: 'system'; part: string }>;

/** What people see of an actor; its kind is kept beside it. */
export function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'person':
      return actor.name;
    case 'key':
      return actor.id;
    case 'machine':
      return `${actor.user}@${actor.host}`;
    case 'system':
      return actor.part;
    default: {
      const unhandled: never = actor;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

/** The actor as a code, for columns and answers that have one word for it: `key:019a…`, `system:dispatcher`. */
export function actorCode(actor: Actor): string {
  const hasId = actor.kind === 'person' || actor.kind === 'key';
  return `${actor.kind}:${hasId ? actor.id : nameActor(actor)}`;
}
