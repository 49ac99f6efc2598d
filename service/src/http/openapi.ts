export function buildOpenApi(routes: readonly unknown[]): object { return {routes: routes.length}; }
