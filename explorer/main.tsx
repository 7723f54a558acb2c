/** Starts the explorer page. Fetches example values first, so that each tab runs without changes. */
import 'graphiql/setup-workers/vite';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { Explorer } from './Explorer.js';
import { fetchExamples, placeholderExamples } from './examples.js';
import { createExplorerFetcher } from './fetcher.js';
import { createOperationTabs } from './operationTabs.js';
import { createExplorerStorage, readActiveTab } from './storage.js';

async function start(container: Element): Promise<void> {
  const storage = createExplorerStorage();
  const restoredTab = readActiveTab(storage);
  // Restored tabs contain their variables, so no examples are needed.
  const examples = restoredTab ? placeholderExamples : await fetchExamples();
  createRoot(container).render(
    <Explorer
      fetcher={createExplorerFetcher()}
      storage={storage}
      restoredTab={restoredTab}
      defaultTabs={createOperationTabs(examples, new Date())}
    />,
  );
}

const container = document.querySelector('#explorer');
if (container) await start(container);
