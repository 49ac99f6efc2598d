import { useEffect, useEffectEvent, useRef } from 'react';

/** Older rows begin to load this far before the reader reaches the end. */
const AHEAD_PX = 1_200;

type Given = Readonly<{ isWaiting: boolean; onReach: () => Promise<void> }>;

/** The end of what is loaded. When the reader scrolls near it, older rows are loaded; never before a scroll. */
export function ListEnd({ isWaiting, onReach }: Given) {
  const place = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(() => void onReach());
  useEffect(() => {
    if (!isWaiting) return undefined;
    const onScroll = () => {
      const top = place.current?.getBoundingClientRect().top;
      if (top !== undefined && top < innerHeight + AHEAD_PX) reach();
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [isWaiting]);
  return <div ref={place} />;
}
