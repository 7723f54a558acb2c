/** Formats the results and errors of operations for clients, as over HTTP. Logs the causes that clients do not see. */
import {
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
} from 'graphql';
import { GatewayError } from '../../errors.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import {
  type FailedOperation,
  formatError,
  type ReportErrors,
  toClientError,
  withLimitedMessage,
} from '../../graphql/apollo/formatError.js';
import { createSuggestions } from '../../graphql/apollo/suggestions.js';
import type { Context } from '../../graphql/context.js';

export interface ResultFormatterOptions {
  schema: GraphQLSchema;
  hidesSuggestions: boolean;
  reportErrors: ReportErrors;
}

export class ResultFormatter {
  readonly #reportErrors: ReportErrors;
  readonly #suggest: ReturnType<typeof createSuggestions>;

  constructor({ schema, hidesSuggestions, reportErrors }: ResultFormatterOptions) {
    this.#reportErrors = reportErrors;
    this.#suggest = createSuggestions(schema, hidesSuggestions);
  }

  /** An operation that fails before it is executed, for example for its variables, has a result without `data`. */
  toText(
    { data, errors }: ExecutionResult,
    operation: FailedOperation & { explain?: Context['explain'] },
  ): string {
    const { explain } = operation;
    const response: FormattedExecutionResult = data === undefined ? {} : { data };
    if (errors) response.errors = this.toClientErrors(errors, operation);
    if (explain) response.extensions = { explain: explain() };
    return stringifyResponse(response);
  }

  /** The last result of a subscription that ends with an error, as JSON. */
  toErrorJson(error: GatewayError, requestId: string, cursor: string | undefined): string {
    this.#reportErrors({ requestId }, [new GraphQLError(error.message, { originalError: error, path: [] })]);
    return JSON.stringify({ data: null, errors: [toClientError(error, { cursor, requestId })] });
  }

  /** Formats the errors of an execution, counts them, and logs their causes. */
  toClientErrors(
    errors: readonly GraphQLError[],
    operation: FailedOperation,
  ): readonly GraphQLFormattedError[] {
    const { requestId } = operation;
    const coded = errors.map((error) => (isAboutVariable(error) ? withCode(error, 'BAD_USER_INPUT') : error));
    this.#reportErrors(operation, coded);
    return coded.map((error) => {
      const visible = this.#toVisible(formatError(error.toJSON(), error));
      return { ...visible, extensions: { ...visible.extensions, requestId } };
    });
  }

  /** Formats an error that refuses an operation. Rethrows errors that the operation did not cause. */
  toRefusal(error: unknown, requestId: string): GraphQLFormattedError {
    if (error instanceof GatewayError) return toClientError(error, { requestId });
    if (!(error instanceof GraphQLError)) throw error;
    this.#reportErrors({ requestId }, [error]);
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
