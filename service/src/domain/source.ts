/** How a transfer came to the service. */
export const SOURCES = ['api', 'file', 'console', 'schedule'] as const;
export type Source = (typeof SOURCES)[number];
