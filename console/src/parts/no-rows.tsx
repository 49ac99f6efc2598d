import { Empty } from './empty.tsx';
import type { IconName } from './icon.tsx';
import { NothingFound } from './nothing-found.tsx';

type Given = Readonly<{
  icon: IconName;
  texts: Readonly<{
    empty: string;
    emptyDetail: string;
    nothing: string;
    nothingDetail: string;
    clear: string;
  }>;
  isFiltered: boolean;
  onClear: () => void;
}>;

/** In place of rows: that filters leave none, or that there are none yet. */
export function NoRows({ icon, texts, isFiltered, onClear }: Given) {
  return isFiltered ? (
    <NothingFound texts={texts} onClear={onClear}>
      {texts.nothingDetail}
    </NothingFound>
  ) : (
    <Empty icon={icon} title={texts.empty}>
      {texts.emptyDetail}
    </Empty>
  );
}
