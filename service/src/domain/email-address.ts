const LENGTH_MAX = 254;
const LOCAL = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ADDRESS = new RegExp(`^(?=.{1,64}@)${LOCAL}@${LABEL}(?:\\.${LABEL})+$`);

/** The address in lower case; undefined if it is none. */
export function parseEmail(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const email = text.trim().toLowerCase();
  return ADDRESS.test(email) ? email : undefined;
}
