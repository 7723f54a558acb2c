/** Starts the explorer page. Fetches example values first, so that each tab runs without changes. */
import 'graphiql/setup-workers/vite';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { Bar } from './Bar.js';
import { Explorer } from './Explorer.js';
import { fetchExamples } from './examples.js';
import { createExplorerFetcher } from './fetcher.js';
import { createOperationTabs, createValues } from './operationTabs.js';
import { createLink, readLink } from './sharedLink.js';
import { createExplorerStorage, readActiveTab, refreshVariables } from './storage.js';

async function start(container: Element): Promise<void> {
  const storage = createExplorerStorage();
  const root = createRoot(container);
  const address = () => window.location.href.split('#')[0] ?? '';

  function createLinkToOpenTab(): string {
    return createLink(address(), readActiveTab(storage) ?? { initialQuery: '', initialVariables: '' });
  }

  /** A new key loads the schema and the tabs again, as each credential sees them. */
  async function render(key: number): Promise<void> {
    const { isRefused, ...examples } = await fetchExamples();
    const values = createValues(examples, new Date());
    refreshVariables(storage, values);
    const linked = readLink(window.location.href);
    if (linked) window.history.replaceState(null, '', address());
    root.render(
      <>
        <Bar isRefused={isRefused} onCredential={() => render(key + 1)} createLink={createLinkToOpenTab} />
        <main key={key} className="fieldgraph-main">
          <Explorer
            fetcher={createExplorerFetcher()}
            storage={storage}
            restoredTab={linked ?? readActiveTab(storage)}
            defaultTabs={createOperationTabs(values)}
            loadsSchema={!isRefused}
          />
        </main>
      </>,
    );
  }
  // A link that is pasted into the address of the open page changes its fragment alone.
  window.addEventListener('hashchange', () => {
    if (readLink(window.location.href)) window.location.reload();
  });
  await render(0);
}

const container = document.querySelector('#explorer');
if (container) await start(container);
