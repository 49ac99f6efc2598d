/** In a guide this stands for text that differs each time, or is left out. */
const ANYTHING = '…';

/** Whether the text that a guide shows is what came, `…` standing for anything. */
export function showsText(shown: string, came: string): boolean {
  const parts = shown
    .trim()
    .split(ANYTHING)
    .map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(came.replaceAll('\r', '').trim());
}

/**
 * Whether the JSON that a guide shows is what came. The text `…` stands for any value, a text with `…`
 * in it for any such text, and a member called `…` for any further members.
 */
export function showsJson(shown: string, came: string): boolean {
  return showsValue(JSON.parse(shown), parseOrUndefined(came));
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function showsValue(shown: unknown, came: unknown): boolean {
  if (shown === ANYTHING) return came !== undefined;
  if (typeof shown === 'string') return typeof came === 'string' && showsText(shown, came);
  if (Array.isArray(shown)) return Array.isArray(came) && showsItems(shown, came);
  if (isObject(shown)) return isObject(came) && showsMembers(shown, came);
  return shown === came;
}

function showsItems(shown: readonly unknown[], came: readonly unknown[]): boolean {
  const isOpen = shown.at(-1) === ANYTHING;
  const items = isOpen ? shown.slice(0, -1) : shown;
  const lengthFits = isOpen ? came.length >= items.length : came.length === items.length;
  return lengthFits && items.every((item, index) => showsValue(item, came[index]));
}

function showsMembers(
  shown: Readonly<Record<string, unknown>>,
  came: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(shown).filter((name) => name !== ANYTHING);
  const isOpen = ANYTHING in shown;
  if (!isOpen && Object.keys(came).length !== names.length) return false;
  return names.every((name) => name in came && showsValue(shown[name], came[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
