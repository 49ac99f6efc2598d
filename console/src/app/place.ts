import type { ComponentType } from 'react';
import type { IconName } from '../parts/icon-outlines.ts';
import type { placeNames } from '../texts/en/places.ts';
import type { shell } from '../texts/en/shell.ts';
import type { Permission } from './session.ts';

export type Place = Readonly<{
  /** Below /b/:bookId or /staff; parameters as `$name`. */
  path: string;
  title: keyof typeof placeNames;
  /** Who sees it: other people do not have the place at all. */
  sees: Permission;
  /** In the column; absent: reached from another place only. */
  column?: Readonly<{
    icon: IconName;
    group?: keyof typeof shell.groups;
    /** Under the thumb on narrow screens: 1 to 4, the fifth is "More". */
    thumb?: number;
    /** The one main action of the book, as a button above the places. */
    isMain?: boolean;
    /** Needed to use it: people who see it without stay outside, and it says which role could. */
    does?: Permission;
    /** Beside its name: how many things wait there. */
    count?: ComponentType;
    /** `g` and then this key go there. */
    key?: string;
  }>;
  load: () => Promise<Readonly<{ default: ComponentType }>>;
}>;
