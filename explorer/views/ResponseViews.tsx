/** The views of the response of the open tab: chart, map, pictures, events, errors, explanation, or plain JSON. */
import { useGraphiQL } from '@graphiql/react';
import { Component, type ReactElement, type ReactNode, useCallback, useMemo, useState } from 'react';
import { ChartView } from './ChartView.js';
import { ErrorsView } from './ErrorsView.js';
import { EventsView, isEventList } from './EventsView.js';
import { ExplainPanel, findExplain } from './ExplainPanel.js';
import { findCharts } from './findCharts.js';
import { findErrors, hasData } from './findErrors.js';
import { findPictures, findPlaces } from './findPlaces.js';
import { MapView } from './MapView.js';
import { Pictures } from './Pictures.js';
import { usePage } from './usePage.js';

interface View {
  name: string;
  /** Shown in the view's button. */
  errorCount?: number;
  render(width: number): ReactElement;
}

const JSON_VIEW = 'JSON';
const ERRORS_VIEW = 'Errors';

export function ResponseViews(): ReactElement {
  usePage();
  const response = useGraphiQL(({ tabs, activeTabIndex }) => tabs[activeTabIndex]?.response ?? '');
  const views = useMemo(() => listViews(response), [response]);
  // The first view that suits the response, until the user chooses another. Errors without data always come first.
  const [chosen, setChosen] = useState<{ name: string; response: string }>();
  const { ref, width } = useWidth();
  const isOutdated = views[0]?.name === ERRORS_VIEW && chosen?.response !== response;
  const name = isOutdated ? undefined : chosen?.name;
  const shown = views.find((view) => view.name === name) ?? (name === JSON_VIEW ? undefined : views[0]);
  const shownName = shown?.name ?? JSON_VIEW;
  return (
    <>
      {/* GraphiQL announces the editor with the result, which other views replace. */}
      <output className="fieldgraph-announcement">{response && describe(shownName, views)}</output>
      <section className="fieldgraph-views" ref={ref} aria-label="Response" tabIndex={-1}>
        {views.length > 0 && (
          <fieldset className="fieldgraph-view-names">
            <legend>View</legend>
            {[...views, { name: JSON_VIEW }].map(
              ({ name, errorCount }: Pick<View, 'name' | 'errorCount'>) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={name === shownName}
                  data-failed={errorCount !== undefined}
                  onClick={() => setChosen({ name, response })}
                >
                  {errorCount === undefined ? name : `${name} (${errorCount})`}
                </button>
              ),
            )}
          </fieldset>
        )}
        {shown && (
          <section className="fieldgraph-view" ref={makeScrollable} aria-label={shown.name}>
            <ViewBoundary key={shown.name}>{shown.render(width)}</ViewBoundary>
          </section>
        )}
      </section>
    </>
  );
}

function describe(shownName: string, views: readonly View[]): string {
  const count = views.find(({ errorCount }) => errorCount !== undefined)?.errorCount ?? 0;
  const errors = count === 0 ? '' : count === 1 ? ', 1 error' : `, ${count} errors`;
  return `Response: ${shownName}${errors}.`;
}

/** A region that scrolls has to be reachable by keyboard. */
function makeScrollable(region: HTMLElement | null): void {
  if (region) region.tabIndex = 0;
}

/**
 * Returns the views that suit a response, the default view first: errors if there is no data, otherwise the
 * explanation if the user requested one.
 */
function listViews(response: string): View[] {
  const parsed = parseOrUndefined(response);
  if (parsed === undefined) return [];
  const explain = findExplain(parsed);
  const events = isEventList(parsed) ? parsed : undefined;
  const charts = events ? [] : findCharts(parsed);
  const places = events ? [] : findPlaces(parsed);
  const pictures = findPictures(parsed);
  const errors = findErrors(parsed);
  const errorsView = errors.length > 0 && {
    name: ERRORS_VIEW,
    errorCount: errors.length,
    render: () => <ErrorsView errors={errors} />,
  };
  const isFailed = !hasData(parsed);
  const views: (View | false | undefined)[] = [
    isFailed && errorsView,
    explain && { name: 'Explain', render: () => <ExplainPanel explain={explain} /> },
    charts.length > 0 && { name: 'Chart', render: (width) => <ChartView charts={charts} width={width} /> },
    places.length > 0 && { name: 'Map', render: (width) => <MapView places={places} width={width} /> },
    pictures.length > 0 && { name: 'Pictures', render: () => <Pictures pictures={pictures} /> },
    events && { name: 'Events', render: () => <EventsView list={events} /> },
    !isFailed && errorsView,
  ];
  return views.filter((view) => typeof view === 'object');
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Space that the view keeps free at its sides, in pixels. */
const PADDING = 40;
const MIN_WIDTH = 240;

/**
 * The width for drawings, which follows the size of the section at `ref`. Its style makes it independent of its
 * content.
 */
function useWidth() {
  const [width, setWidth] = useState(600);
  const ref = useCallback((section: HTMLElement | null) => {
    if (!section) return undefined;
    const measure = () => setWidth(Math.max(MIN_WIDTH, section.clientWidth - PADDING));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Replaces a view that fails by a message, until the next response, so that the editor stays usable. */
class ViewBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate({ children }: { children: ReactNode }): void {
    if (this.state.hasFailed && children !== this.props.children) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (
      <p>This view cannot show the response. Choose JSON.</p>
    ) : (
      this.props.children
    );
  }
}
