export function availableBytes(read?: (path: string) => string, total?: number): number;
export function heapOptions(bytes: number): string[];
export const MALLOC_ENVIRONMENT: Readonly<Record<string, string>>;
