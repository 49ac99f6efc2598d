/** Who acts. A driver authenticates it and hands it to the use case, which records it with what was done. */
export type Actor = AdministratorActor | MachineActor | SystemActor;

/** A person who showed an administrator's key. */
export type AdministratorActor = Readonly<{ kind: 'administrator'; id: string; name: string }>;

/** A user of the machine, who showed no key but has the rights of the owner of the tables. */
export type MachineActor = Readonly<{ kind: 'machine'; user: string; host: string }>;

/** The service itself, such as when it makes the demo merchant. */
export type SystemActor = Readonly<{ kind: 'system'; part: string }>;

/** What people see of an actor; its kind is kept beside it. */
export function nameActor(actor: Actor): string {
  switch (actor.kind) {
    case 'administrator':
      return actor.name;
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
