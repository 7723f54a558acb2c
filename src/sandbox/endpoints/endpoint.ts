/**
 * What an endpoint is: one entry of the table from which routing, validation, limits and the
 * OpenAPI document are all derived, so that none of them can drift from the others.
 */
import type { Clock } from '../../lib/clock.js';
import type { Queries } from '../database/queries.js';
import { createBadRequestError } from '../server/httpError.js';
import type { Parameters, ParameterValues } from './parameter.js';

/** The API client that a token was issued to. */
export interface ApiClient {
  readonly id: number;
  readonly accountId: number;
}

export interface RequestContext {
  readonly client: ApiClient;
  readonly db: Queries;
  readonly clock: Clock;
  /** Where picture URLs begin, without a slash at the end. */
  readonly publicUrl: string;
}

/** What an endpoint answers: a component schema, a list of them, or nothing (204). */
export type ResponseShape =
  | { readonly kind: 'one' | 'list'; readonly schema: string }
  | { readonly kind: 'none' };

interface EndpointDescription<Table extends Parameters> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: Table;
  readonly response: ResponseShape;
  /** The component schema of a JSON body. */
  readonly bodySchema?: string;
}

export interface EndpointDefinition<Table extends Parameters> extends EndpointDescription<Table> {
  handle(values: ParameterValues<Table>, context: RequestContext, body: unknown): unknown;
}

export interface SandboxEndpoint extends EndpointDescription<Parameters> {
  /**
   * Validates and serves one request; `text` gives a parameter's raw text.
   * @throws Refusal when the request cannot be served.
   */
  serve(text: (name: string) => string | undefined, context: RequestContext, body: unknown): unknown;
}

/** An empty optional parameter counts as absent: generated clients send them so. */
function readValues(table: Parameters, text: (name: string) => string | undefined): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const given = text(name);
    if (given !== undefined && given !== '') values[name] = parameter.read(name, given);
    else if (parameter.required) throw createBadRequestError(`${name} is required.`);
    else values[name] = parameter.absent;
  }
  return values;
}

/** Ties a typed handler to its description; the types of the values follow from `parameters`. */
export function createEndpoint<const Table extends Parameters>(
  definition: EndpointDefinition<Table>,
): SandboxEndpoint {
  const { handle, ...description } = definition;
  return {
    ...description,
    serve: (text, context, body) =>
      handle(readValues(definition.parameters, text) as ParameterValues<Table>, context, body),
  };
}
