/** A long-lived HTTP response: writes frames, and bounds its unsent bytes until it ends. */
import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../../../errors.js';
import type { ByteBudget } from '../../../lib/byteBudget.js';
import { type ResponseTarget, setCommonHeaders } from '../../responses/sendResponse.js';
import { Outbox, type OutboxLimits } from '../outbox.js';
import type { StreamCodec } from './streamCodec.js';

interface ResponseStreamOptions extends OutboxLimits {
  codec: Pick<StreamCodec, 'contentType' | 'start' | 'end'>;
  /** Charged with the unsent bytes. */
  budget: ByteBudget;
  /** Called when `isDrained` has become true. */
  onDrain(): void;
  /** Called when the client does not read in time, before the response ends. Write the last frames now. */
  onSlow(error: GatewayError): void;
  /** Called once, when the response has ended or the client has disconnected. */
  onClose(): void;
}

/** Milliseconds that a slow client has to read the last bytes. */
const SLOW_CLOSE_MS = 2000;

export class ResponseStream {
  readonly #response: ServerResponse;
  readonly #options: ResponseStreamOptions;
  readonly #outbox: Outbox;
  #isEnded = false;
  #closeTimer: NodeJS.Timeout | undefined;

  constructor({ response, requestId }: ResponseTarget, options: ResponseStreamOptions) {
    this.#response = response;
    this.#options = options;
    const connection = {
      budget: options.budget,
      unsentBytes: () => response.writableLength,
      end: (error: GatewayError) => {
        options.onSlow(error);
        this.end();
        // The outbox no longer charges the unsent bytes, even if the response has already ended.
        this.#destroyAfter(SLOW_CLOSE_MS);
      },
    };
    this.#outbox = new Outbox(connection, options);
    response.once('close', () => {
      this.#isEnded = true;
      clearTimeout(this.#closeTimer);
      this.#outbox.close();
      options.onClose();
    });
    this.#begin(requestId);
  }

  #begin(requestId: string): void {
    setCommonHeaders(this.#response, requestId);
    this.#response.writeHead(200, {
      'Content-Type': this.#options.codec.contentType,
      'Cache-Control': 'no-store',
      // nginx would buffer the response otherwise.
      'X-Accel-Buffering': 'no',
    });
    this.write(this.#options.codec.start);
  }

  /** Whether the client has read everything except for a small buffer. */
  isDrained(): boolean {
    return this.#outbox.isDrained();
  }

  /** Does nothing after the end. */
  write(frames: string | Buffer): void {
    if (this.#isEnded || frames.length === 0 || this.#writeNow(frames)) return;
    if (this.#outbox.isDrained()) {
      this.#response.once('drain', () => {
        this.#outbox.drain();
        this.#options.onDrain();
      });
    }
    this.#outbox.stall();
  }

  /**
   * Passes the frames to the system at once. Otherwise Node writes at the end of the turn, and the results for many clients
   * would take one long turn.
   */
  #writeNow(frames: string | Buffer): boolean {
    const { socket } = this.#response;
    socket?.cork();
    const isAccepted = this.#response.write(frames);
    socket?.uncork();
    return isAccepted;
  }

  /** Ends the response after its frames. Destroys the connection if the client does not read them. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#response.end(this.#options.codec.end);
    this.#destroyAfter(this.#options.maxUnsentMs);
  }

  #destroyAfter(ms: number): void {
    clearTimeout(this.#closeTimer);
    this.#closeTimer = setTimeout(() => {
      if (!this.#response.writableFinished) this.#response.destroy();
    }, ms).unref();
  }
}
