/**
 * Whether merchant `m` of a cell is served by it. One that has moved stays in its old cell until it is forgotten there,
 * and one that arrives is not served yet: what spans merchants would count both twice.
 */
export const SERVED_HERE = `m.state in ('open', 'closing')`;
