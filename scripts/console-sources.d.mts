export const CONSOLE_DIST: string;
export const SOURCES_FILE: string;
export function hashConsoleSources(): string;
export function isConsoleBuilt(folder?: string, wanted?: string): boolean;
