/** Shows the pictures of image samples. */
import { type ReactElement, useEffect, useState } from 'react';
import type { Picture } from './findPlaces.js';
import { NotDrawn } from './NotDrawn.js';

/** More pictures are counted but not drawn. */
const MAX_PICTURES = 60;

export function Pictures({ pictures }: { pictures: readonly Picture[] }): ReactElement {
  const origins = useImageOrigins();
  return (
    <>
      <ul className="fieldgraph-pictures">
        {pictures.slice(0, MAX_PICTURES).map(({ url, source, sampledAt }) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer">
              {origins.includes(new URL(url).origin) ? (
                <img src={url} alt={`${source || 'Sample'} of ${sampledAt}`} loading="lazy" />
              ) : (
                new URL(url).host
              )}
            </a>
            {source && <b>{source}</b>} <time dateTime={sampledAt}>{sampledAt}</time>
          </li>
        ))}
      </ul>
      <NotDrawn count={pictures.length - MAX_PICTURES} noun="picture" />
    </>
  );
}

/** The origins from which the page may load images, as its own security policy says. Others are shown as links. */
function useImageOrigins(): readonly string[] {
  const [origins, setOrigins] = useState<readonly string[]>([]);
  useEffect(() => {
    let isMounted = true;
    // Without a list, as during an outage of the gateway, all pictures are links.
    void readImageOrigins().then(
      (list) => isMounted && setOrigins(list),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, []);
  return origins;
}

async function readImageOrigins(): Promise<readonly string[]> {
  const { headers } = await fetch('/', { method: 'HEAD' });
  const policy = headers.get('content-security-policy') ?? '';
  const sources = policy.split(';').find((part) => part.trim().startsWith('img-src'));
  return [window.location.origin, ...(sources?.trim().split(' ').slice(1) ?? [])];
}
