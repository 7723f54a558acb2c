/** Formats the results and errors of operations for clients, as over HTTP. Logs the causes that clients do not see. */
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
} from 'graphql';
import { GatewayError } from '../../errors.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import {
  formatError,
  type LogErrorCauses,
  toExtensions,
  withLimitedMessage,
} from '../../graphql/apollo/formatError.js';
import { createSuggestions } from '../../graphql/apollo/suggestions.js';
import type { RequestMetrics } from '../requests/requestMetrics.js';

export interface ResultFormatterOptions {
  schema: GraphQLSchema;
  hidesSuggestions: boolean;
  requestMetrics: RequestMetrics;
  logCauses: LogErrorCauses;
}

export class ResultFormatter {
  readonly #requestMetrics: RequestMetrics;
  readonly #logCauses: LogErrorCauses;
  readonly #suggest: ReturnType<typeof createSuggestions>;

  constructor({ schema, hidesSuggestions, requestMetrics, logCauses }: ResultFormatterOptions) {
    this.#requestMetrics = requestMetrics;
    this.#logCauses = logCauses;
    this.#suggest = createSuggestions(schema, hidesSuggestions);
  }

  /** The execution result as JSON. */
  toText({ data = null, errors }: ExecutionResult, requestId: string): string {
    const response = errors ? { data, errors: this.toClientErrors(errors, requestId) } : { data };
    return stringifyResponse(response);
  }

  /** The last result of a subscription that ends with an error, as JSON. */
  toErrorText(error: GatewayError, requestId: string, cursor: string | undefined): string {
    this.#logCauses(requestId, [new GraphQLError(error.message, { originalError: error, path: [] })]);
    const extensions = { ...toExtensions(error), ...(cursor !== undefined && { cursor }), requestId };
    return JSON.stringify({ data: null, errors: [{ message: error.message, extensions }] });
  }

  /** Formats the errors of an execution. */
  toClientErrors(errors: readonly GraphQLError[], requestId: string): readonly GraphQLFormattedError[] {
    this.#logCauses(requestId, errors);
    return errors.map((error) => {
      const coded = isAboutVariable(error) ? withCode(error, 'BAD_USER_INPUT') : error;
      const visible = this.#toVisible(formatError(coded.toJSON(), coded));
      return { ...visible, extensions: { ...visible.extensions, requestId } };
    });
  }

  /** Formats an error that refuses an operation, and counts it. Rethrows errors that the operation did not cause. */
  toRefusal(error: unknown, requestId: string): GraphQLFormattedError {
    if (error instanceof GatewayError) {
      this.#requestMetrics.recordRefusal(error.code);
      return { message: error.message, extensions: { ...toExtensions(error), requestId } };
    }
    if (!(error instanceof GraphQLError)) throw error;
    const { message, extensions, locations } = this.#toVisible(error.toJSON());
    const { code = 'GRAPHQL_PARSE_FAILED' } = extensions ?? {};
    return { message, ...(locations && { locations }), extensions: { code, retryable: false, requestId } };
  }

  #toVisible(error: GraphQLFormattedError): GraphQLFormattedError {
    return withLimitedMessage(this.#suggest(error));
  }
}

export function withCode(error: GraphQLError, code: string): GraphQLError {
  Object.assign(error.extensions, { code, retryable: false });
  return error;
}

/** An error about an invalid variable refers to the variable's definition and has no response path. */
function isAboutVariable({ path, nodes = [] }: GraphQLError): boolean {
  return path === undefined && nodes[0]?.kind === Kind.VARIABLE_DEFINITION;
}
