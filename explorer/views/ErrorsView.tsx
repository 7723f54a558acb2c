/**
 * Shows the errors of a response readably: code, path, when to retry, the id of the request in the gateway's log and, for
 * cost errors, the most expensive fields.
 */
import type { ReactElement } from 'react';
import type { ResponseError } from './findErrors.js';
import { numbered } from './scale.js';

/** Nothing without errors. */
export function ErrorsView({ errors }: { errors: readonly ResponseError[] }): ReactElement | null {
  if (errors.length === 0) return null;
  return (
    <ul className="fieldgraph-errors">
      {numbered(errors).map(({ item, number }) => (
        <ErrorItem key={number} error={item} place={describePlace(item)} />
      ))}
    </ul>
  );
}

function ErrorItem({ error, place }: { error: ResponseError; place: string | undefined }): ReactElement {
  const { message, extensions = {} } = error;
  const { code = 'ERROR', retryable, retryAfterMs, requestId, costliestFields } = extensions;
  return (
    <li>
      <b>{code}</b> {place && <code>{place}</code>}
      <p>{message}</p>
      {retryAfterMs !== undefined && <p>Try again in {Math.ceil(retryAfterMs / 1000)} s.</p>}
      {requestId && (
        <p>
          Request <code>{requestId}</code>
          {retryable !== undefined && `, ${retryable ? 'retryable' : 'not retryable'}`}
        </p>
      )}
      {costliestFields && <CostTable fields={costliestFields} />}
    </li>
  );
}

/** Undefined for an error without path and location. */
function describePlace({ path, locations: [first] = [] }: ResponseError): string | undefined {
  return path ? path.join('.') : first && `line ${first.line}, column ${first.column}`;
}

function CostTable({ fields }: { fields: readonly { field: string; cost: number }[] }): ReactElement {
  return (
    <table>
      <caption>The fields that cost most</caption>
      <thead>
        <tr>
          <th>Field</th>
          <th>Cost</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, cost }) => (
          <tr key={field}>
            <td>{field}</td>
            <td>{cost.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
