/** Configures GraphiQL: its own logo, the variables editor open, no files from other servers. */
import type { Fetcher, Storage } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import type { ComponentProps, ReactElement } from 'react';
import icon from './icon.svg';
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

/** Schemas by which the variables editor checks these scalars. By default, GraphiQL would mark numbers as errors. */
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
          <img className="fieldgraph-mark" src={icon} alt="" />
          Fieldgraph
        </span>
      </GraphiQL.Logo>
      <GraphiQL.Footer>
        <ResponseViews />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}
