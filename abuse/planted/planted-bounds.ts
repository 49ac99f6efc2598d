import { ATTACKED_BOUNDS } from './attacked-bounds.ts';
import type { PlantedBound } from './planted-bound.ts';
import { TESTED_BOUNDS } from './tested-bounds.ts';

export const PLANTED_BOUNDS: readonly PlantedBound[] = [...ATTACKED_BOUNDS, ...TESTED_BOUNDS];
