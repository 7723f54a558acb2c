/** Configures GraphiQL: its own logo, the variables editor open, no files from other servers. */
import type { Fetcher, Storage } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import type { ComponentProps, ReactElement } from 'react';
import type { OperationTab } from './operationTabs.js';
import type { TabContent } from './sharedLink.js';
import { ResponseViews } from './views/ResponseViews.js';

/** The content of the open tab's editors. */
export interface OpenTab extends TabContent {
  /** JSON with comments; may be empty. */
  headers: string;
  /** The operation that runs, if the query has several. */
  operationName: string | undefined;
}

/** What the variables editor accepts. GraphiQL alone would mark numbers for these scalars as errors. */
const scalars: NonNullable<ComponentProps<typeof GraphiQL>['customScalarSchemas']> = {
  DateTime: { type: ['string', 'integer'] },
  ID: { type: ['string', 'integer'] },
};

interface ExplorerProps {
  fetcher: Fetcher;
  storage: Storage;
  restoredTab: TabContent | undefined;
  /** For a first visit. Later, GraphiQL restores its tabs from `storage`. */
  defaultTabs: OperationTab[];
  /** False if the gateway refuses to describe its schema without a credential. */
  loadsSchema: boolean;
  /** Called when another tab opens, and when the open one changes. */
  onOpenTab(tab: OpenTab): void;
}

/** The logo: three connected points, as in the page's icon. */
function Mark(): ReactElement {
  return (
    <svg className="fieldgraph-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0f766e" />
      <path d="M8 24V8h16M8 16h11" stroke="#fff" strokeWidth="3" fill="none" />
      <g fill="#5eead4">
        <circle cx="24" cy="8" r="3.5" />
        <circle cx="19" cy="16" r="3.5" />
        <circle cx="8" cy="24" r="3.5" />
      </g>
    </svg>
  );
}

export function Explorer({
  fetcher,
  storage,
  restoredTab,
  defaultTabs,
  loadsSchema,
  onOpenTab,
}: ExplorerProps): ReactElement {
  return (
    <GraphiQL
      fetcher={fetcher}
      storage={storage}
      defaultTabs={defaultTabs}
      {...(restoredTab && { initialQuery: restoredTab.query, initialVariables: restoredTab.variables })}
      {...(loadsSchema ? {} : { schema: null })}
      onTabChange={({ tabs, activeTabIndex }) => {
        const tab = tabs[activeTabIndex];
        if (!tab) return;
        const { query, variables, headers, operationName } = tab;
        onOpenTab({
          query: query ?? '',
          variables: variables ?? '',
          headers: headers ?? '',
          operationName: operationName ?? undefined,
        });
      }}
      customScalarSchemas={scalars}
      defaultEditorToolsVisibility="variables"
      isHeadersEditorEnabled
      inputValueDeprecation
      schemaDescription
      shouldPersistHeaders={false}
      showPersistHeadersSettings={false}
    >
      <GraphiQL.Logo>
        <span className="fieldgraph-logo">
          <Mark />
          Fieldgraph
        </span>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <ResponseViews />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
