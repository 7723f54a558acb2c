/** The results of one operation whose response has several parts, as JSON. */
import type { GatewayError } from '../../errors.js';
import type { IncrementalResult } from '../../execution/executor.js';
import {
  createIncrementalWriter,
  type FormatErrors,
  type IncrementalFormat,
  type IncrementalWriter,
} from '../../execution/incremental/incrementalFormat.js';
import type { SubsequentResults } from '../../execution/incremental/subsequentResults.js';
import { stringifyResponse } from '../../execution/text/serializedJson.js';
import { toClientError } from '../../graphql/apollo/formatError.js';
import type { Context } from '../../graphql/context.js';
import type { Cancellation } from '../../lib/cancellation.js';

interface ResultPartsOptions {
  format: IncrementalFormat;
  formatErrors: FormatErrors;
  explain: Context['explain'];
  trace: Context['trace'];
  cancellation: Cancellation;
}

export class ResultParts {
  readonly initial: string;
  readonly #later: SubsequentResults | undefined;
  readonly #writer: IncrementalWriter;
  readonly #cancellation: Cancellation;
  readonly #explain: () => { extensions?: Record<string, unknown> };
  #hasNext: boolean;

  constructor({ result, later }: IncrementalResult, options: ResultPartsOptions) {
    const { format, explain, trace, cancellation } = options;
    trace?.beginPhase('graphql.parts');
    const formatErrors: FormatErrors = (errors) => {
      trace?.fail();
      return options.formatErrors(errors);
    };
    this.#later = later;
    this.#hasNext = later !== undefined && later.announced.length > 0;
    this.#cancellation = cancellation;
    this.#writer = createIncrementalWriter(format, formatErrors);
    this.#explain = explain ? explainSteps(explain) : () => ({});
    const { data = null, errors } = result;
    const response = {
      data,
      ...(errors && { errors: formatErrors(errors) }),
      ...(later && this.#hasNext && this.#writer.initial(later.announced)),
      ...this.#explain(),
    };
    this.initial = stringifyResponse(response);
  }

  hasNext(): boolean {
    return this.#hasNext && !this.#cancellation.isCancelled();
  }

  /** The last result for a client that does not get the remaining ones, with the error as its reason. */
  fail(error: GatewayError): string {
    return this.#writer.failed(toClientError(error));
  }

  /**
   * Executes further parts. Resolves with the next result; undefined if the client has disconnected. Call it while
   * `hasNext`.
   */
  async next(): Promise<string | undefined> {
    while (this.hasNext()) {
      const batch = await this.#later?.next();
      this.#hasNext = batch?.hasNext ?? false;
      const text = batch && this.#writer.later(batch, this.#explain());
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

/** Each result lists the REST calls and plans since the previous result. */
function explainSteps(
  explain: NonNullable<Context['explain']>,
): () => { extensions: Record<string, unknown> } {
  let sent = { calls: 0, plans: 0 };
  return () => {
    const all = explain();
    const step = { ...all, calls: all.calls.slice(sent.calls), plans: all.plans.slice(sent.plans) };
    sent = { calls: all.calls.length, plans: all.plans.length };
    return { extensions: { explain: step } };
  };
}

export async function sendParts(
  parts: ResultParts,
  send: (text: string) => Promise<void> | void,
): Promise<string> {
  let text = parts.initial;
  while (parts.hasNext()) {
    await send(text);
    text = (await parts.next()) ?? text;
  }
  return text;
}
