/** Starts the explorer page. Fetches example values first, so that each tab runs without changes. */
import 'graphiql/setup-workers/vite';
import { tryParseJSONC } from '@graphiql/react';
import { createRoot } from 'react-dom/client';
import './styles.css';
import { Bar } from './Bar.js';
import { credentialKind } from './credential.js';
import { type CurlCommand, createCurlCommand } from './curlCommand.js';
import { Explorer, type OpenTab } from './Explorer.js';
import { fetchExamples, placeholderExamples } from './examples.js';
import { refreshVariables } from './filledValues.js';
import { createOperationTabs, createRange } from './operationTabs.js';
import { createExplorerFetcher } from './requests/fetcher.js';
import { session } from './session.js';
import { createLink, readLink, removeLink } from './sharedLink.js';
import { CREDENTIAL_APPLIED, LINK_DAMAGED, status } from './status.js';
import { createExplorerStorage, findActiveTab, readActiveTab } from './storage.js';

function createCommand({ query, variables, headers, operationName }: OpenTab): CurlCommand {
  return createCurlCommand({
    url: new URL('/graphql', window.location.href).href,
    query,
    operationName,
    variables: parseEditor(variables, 'variables'),
    headers: parseEditor(headers, 'headers'),
    credential: credentialKind(session.credential()),
    isExplaining: session.isExplaining(),
  });
}

/** Accepts what Run accepts: comments and trailing commas too. Undefined if the editor is empty. */
function parseEditor(text: string, name: string): object | undefined {
  try {
    return tryParseJSONC(text);
  } catch (error) {
    throw new SyntaxError(`The ${name} ${(error as Error).message}`);
  }
}

/**
 * Monaco cancels what an editor computes when the editor is removed, as after a change of the credential. Nothing handles
 * its cancellation errors, and browsers would report them to the visitor.
 */
function hideCancellations(): void {
  const hide = (event: Event, error: unknown) => {
    if (error instanceof Error && error.name === 'Canceled') event.preventDefault();
  };
  window.addEventListener('unhandledrejection', (event) => hide(event, event.reason));
  window.addEventListener('error', (event) => hide(event, event.error));
}

async function start(container: Element): Promise<void> {
  const storage = createExplorerStorage('localStorage');
  const root = createRoot(container);
  const address = () => removeLink(window.location.href);

  // Read once, so that a later change of the credential does not open the link again.
  const link = readLink(window.location.href);
  if (link) window.history.replaceState(null, '', address());
  if (link === 'damaged') status.set(LINK_DAMAGED);
  let linked = link === 'damaged' ? undefined : link;
  let renders = 0;
  let disposeFetcher = () => {};

  /**
   * A new React key reloads the schema and the tabs, which depend on the credential. Returns whether the gateway
   * accepted it; false if it has changed meanwhile.
   */
  async function render(): Promise<boolean> {
    const key = ++renders;
    const { found, isRefused } = await fetchExamples();
    // A later call has the newer credential.
    if (key !== renders) return false;
    const range = createRange(new Date());
    const values = refreshVariables(storage, { ...placeholderExamples, ...range }, { ...found, ...range });
    const restoredTab = linked ?? readActiveTab(storage);
    const defaultTabs = [...(linked ? [linked] : []), ...createOperationTabs(values)];
    linked = undefined;
    // Not read from the storage again: all windows share it, and GraphiQL writes it later.
    const firstTab = restoredTab ?? findActiveTab({ tabs: defaultTabs, activeTabIndex: 0 });
    let openTab: OpenTab = { query: '', variables: '', headers: '', operationName: undefined, ...firstTab };
    disposeFetcher();
    const { fetcher, dispose } = createExplorerFetcher();
    disposeFetcher = dispose;
    root.render(
      <>
        <Bar
          isRefused={isRefused}
          onCredential={apply}
          createLink={() => createLink(address(), openTab)}
          createCommand={() => createCommand(openTab)}
        />
        <main key={key} className="fieldgraph-main">
          <Explorer
            fetcher={fetcher}
            storage={storage}
            restoredTab={restoredTab}
            defaultTabs={defaultTabs}
            loadsSchema={!isRefused}
            onOpenTab={(tab) => {
              openTab = tab;
            }}
          />
        </main>
      </>,
    );
    return !isRefused;
  }

  async function apply(): Promise<void> {
    session.applyCredential();
    status.set('');
    if (await render()) status.set(session.credential() ? CREDENTIAL_APPLIED : 'No credential is sent.');
  }

  // A link that is pasted into the address of the open page changes its fragment alone.
  window.addEventListener('hashchange', () => {
    if (readLink(window.location.href)) window.location.reload();
  });
  await render();
}

hideCancellations();
const container = document.querySelector('#explorer');
if (container) await start(container);
