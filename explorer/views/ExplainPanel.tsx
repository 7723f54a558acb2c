/** Shows the cost of an operation: REST calls made and avoided, their timeline, and the cost compared with the limit. */
import type { ReactElement } from 'react';
import { NotDrawn } from './NotDrawn.js';
import { numbered } from './scale.js';

interface Call {
  endpoint: string;
  origin: 'network' | 'cache' | 'stale' | 'shared';
  /** 0 without a response; null if no call was made. */
  status: number | null;
  /** 0 if the call was not sent; null if no call was made. */
  attempts: number | null;
  milliseconds: number | null;
  startMilliseconds: number | null;
  bytes: number | null;
}

interface Explain {
  cost?: { estimated: number; budget: number };
  calls: readonly Call[];
}

/** More calls are counted but not drawn on the timeline. */
const MAX_BARS = 200;

export function findExplain(response: unknown): Explain | undefined {
  const { extensions } = (response ?? {}) as { extensions?: { explain?: Explain } };
  return extensions?.explain;
}

export function ExplainPanel({ explain: { cost, calls } }: { explain: Explain }): ReactElement {
  const made = calls.filter(({ origin }) => origin === 'network');
  return (
    <div className="fieldgraph-explain">
      <p>
        REST calls made: <b>{countOf(made)}</b>, avoided: <b>{calls.length - made.length}</b>.
      </p>
      {cost && (
        <p>
          <label>
            Cost {cost.estimated.toLocaleString()} of {cost.budget.toLocaleString()}{' '}
            <meter min={0} max={cost.budget} value={cost.estimated} />
          </label>
        </p>
      )}
      <EndpointTable calls={calls} />
      {made.length > 0 && <Timeline calls={made} />}
    </div>
  );
}

/** Calls with their retries, or values that took no call. */
function countOf(calls: readonly Call[]): number {
  return calls.reduce((sum, { attempts }) => sum + (attempts ?? 1), 0);
}

const origins = ['network', 'cache', 'stale', 'shared'] as const;

function EndpointTable({ calls }: { calls: readonly Call[] }): ReactElement {
  const endpoints = [...new Set(calls.map(({ endpoint }) => endpoint))];
  return (
    <table>
      <thead>
        <tr>
          <th>Endpoint</th>
          <th>Made</th>
          <th>From cache</th>
          <th>Stale</th>
          <th>Shared</th>
          <th>KB</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => {
          const own = calls.filter((call) => call.endpoint === endpoint);
          const bytes = own.reduce((sum, call) => sum + (call.bytes ?? 0), 0);
          return (
            <tr key={endpoint}>
              <td>{endpoint}</td>
              {origins.map((origin) => (
                <td key={origin}>{countOf(own.filter((call) => call.origin === origin)) || ''}</td>
              ))}
              <td>{bytes > 0 ? (bytes / 1024).toFixed(1) : ''}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The platform returns 404 for the last sample of a stream that has none. */
function hasNoSamples({ endpoint, status }: Call): boolean {
  return status === 404 && endpoint.endsWith('/last');
}

function hasFailed(call: Call): boolean {
  const status = call.status ?? 0;
  return (status === 0 || status >= 400) && !hasNoSamples(call);
}

function describeStatus(call: Call): string {
  if (hasNoSamples(call)) return `${call.status}, no samples`;
  if (call.attempts === 0) return 'not sent';
  const status = call.status ? String(call.status) : 'no response';
  return call.attempts === 1 ? status : `${status}, ${call.attempts} attempts`;
}

function Timeline({ calls }: { calls: readonly Call[] }): ReactElement {
  const endOf = ({ startMilliseconds, milliseconds }: Call) => (startMilliseconds ?? 0) + (milliseconds ?? 0);
  const total = Math.max(1, ...calls.map(endOf));
  return (
    <>
      <p>Timeline, {Math.round(total)} ms</p>
      <ol className="fieldgraph-timeline">
        {numbered(calls.slice(0, MAX_BARS)).map(({ item: call, number }) => (
          <li key={number}>
            <span>
              {call.endpoint} {describeStatus(call)} · {Math.round(call.milliseconds ?? 0)} ms
            </span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect
                x={((call.startMilliseconds ?? 0) / total) * 100}
                width={Math.max(0.5, ((call.milliseconds ?? 0) / total) * 100)}
                height="4"
                data-failed={hasFailed(call)}
              />
            </svg>
          </li>
        ))}
      </ol>
      <NotDrawn count={calls.length - MAX_BARS} noun="REST call" />
    </>
  );
}
