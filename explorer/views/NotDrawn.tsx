/** Shows how many charts, lines, places, pictures or REST calls a view leaves out. Empty if it draws all. */
import type { ReactElement } from 'react';

export function NotDrawn({ count, noun }: { count: number; noun: string }): ReactElement | null {
  if (count <= 0) return null;
  return (
    <p className="fieldgraph-rest">
      {count === 1 ? `1 more ${noun} is not drawn.` : `${count} more ${noun}s are not drawn.`}
    </p>
  );
}
