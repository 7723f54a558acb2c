/**
 * An entry of the endpoint table. Routing, validation, limits and the OpenAPI document all derive from it, so that they
 * cannot contradict each other.
 */

import { createBadRequestError } from '../httpError.js';
import type { RequestContext } from '../requestContext.js';
import { requireRow } from './owned.js';
import type { Parameters, ParameterValues } from './parameter.js';

/** The response body: one component schema, a list of it, or no body (204). */
type ResponseShape = { readonly kind: 'one' | 'list'; readonly schema: string } | { readonly kind: 'none' };

export function one(schema: string): ResponseShape {
  return { kind: 'one', schema };
}

export function list(schema: string): ResponseShape {
  return { kind: 'list', schema };
}

export const none: ResponseShape = { kind: 'none' };

interface EndpointDescription<Table extends Parameters> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: Table;
  readonly response: ResponseShape;
  readonly bodySchema?: string;
}

interface EndpointDefinition<Table extends Parameters>
  extends Omit<EndpointDescription<Table>, 'method' | 'parameters' | 'tag'> {
  /** Default GET. */
  readonly method?: 'POST';
  /** Default none. */
  readonly parameters?: Table;
  handle(values: ParameterValues<Table>, context: RequestContext, body: unknown): unknown;
}

export interface SandboxEndpoint extends EndpointDescription<Parameters> {
  /**
   * Validates and serves one request.
   * @param text returns a parameter's raw text by name.
   * @throws HttpError when the request cannot be served.
   */
  serve(text: (name: string) => string | undefined, context: RequestContext, body: unknown): unknown;
}

export type UntaggedEndpoint = Omit<SandboxEndpoint, 'tag'>;

export function withTag(tag: string, endpoints: readonly UntaggedEndpoint[]): SandboxEndpoint[] {
  return endpoints.map((endpoint) => ({ ...endpoint, tag }));
}

/** An empty optional parameter counts as absent, because generated clients send optional parameters empty. */
function readValues(
  parameters: Parameters,
  text: (name: string) => string | undefined,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = text(name);
    if (value !== undefined && value !== '') values[name] = parameter.read(name, value);
    else if (parameter.required) throw createBadRequestError(`${name} is required.`);
    else values[name] = parameter.absent;
  }
  return values;
}

/** Combines a typed handler with its description. The types of the values follow from `parameters`. */
export function createEndpoint<const Table extends Parameters>(
  definition: EndpointDefinition<Table>,
): UntaggedEndpoint {
  const { handle, method = 'GET', parameters = {}, ...description } = definition;
  return {
    ...description,
    method,
    parameters,
    serve(text, context, body) {
      const values = readValues(parameters, text);
      for (const [name, { ownedBy }] of Object.entries<Parameters[string]>(parameters)) {
        if (ownedBy) requireRow(context, ownedBy, 'id', Number(values[name]));
      }
      return handle(values as ParameterValues<Table>, context, body);
    },
  };
}
