export type JsonObject = Readonly<Record<string, unknown>>;

/** The body as one JSON object, or null for anything else. */
export function readJsonObject(body: Buffer): JsonObject | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
