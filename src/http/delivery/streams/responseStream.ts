/** A long-lived HTTP response: writes frames, bounds unsent bytes, and sends heartbeats until it ends. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayError } from '../../../errors.js';
import type { ByteBudget } from '../../../lib/byteBudget.js';
import { type ResponseTarget, setCommonHeaders } from '../../responses/sendResponse.js';
import { ReadGate } from '../inbox.js';
import { Outbox, type OutboxLimits } from '../outbox.js';
import type { StreamCodec } from './streamCodec.js';

export interface ResponseStreamOptions extends OutboxLimits {
  codec: StreamCodec;
  /** Charged with the unsent bytes. */
  budget: ByteBudget;
  /** Called when the client does not read in time, before the response ends. Send the last frames now. */
  onSlow(error: GatewayError): void;
  /** Called once, when the response has ended or the client has disconnected. */
  onClose(): void;
}

/** Interval of heartbeats without a subscription, which show proxies and clients that the connection works. */
const KEEP_ALIVE_MS = 12_000;
/** Milliseconds for a slow client to take the last bytes. */
const CLOSE_TIMEOUT_MS = 2000;

export class ResponseStream {
  readonly request: IncomingMessage;
  /** Nothing is read from the client after its request, so that there is nothing to pause. */
  readonly gate = new ReadGate({ pause() {}, resume() {} });
  readonly #response: ServerResponse;
  readonly #codec: StreamCodec;
  readonly #outbox: Outbox;
  #isEnded = false;

  constructor({ request, response, requestId }: ResponseTarget, options: ResponseStreamOptions) {
    const { codec, onSlow, onClose } = options;
    this.request = request;
    this.#response = response;
    this.#codec = codec;
    this.#outbox = new Outbox({
      ...options,
      gate: this.gate,
      unsentBytes: () => response.writableLength,
      end: (error) => {
        onSlow(error);
        this.end();
      },
    });
    const keepAlive = setInterval(() => void this.send(codec.heartbeat(undefined)), KEEP_ALIVE_MS).unref();
    response.once('close', () => {
      this.#isEnded = true;
      clearInterval(keepAlive);
      this.#outbox.close();
      onClose();
    });
    this.#begin(requestId);
  }

  #begin(requestId: string): void {
    setCommonHeaders(this.#response, requestId);
    this.#response.writeHead(200, {
      'Content-Type': this.#codec.contentType,
      'Cache-Control': 'no-store',
      // nginx would buffer the response otherwise.
      'X-Accel-Buffering': 'no',
    });
    void this.send(this.#codec.start);
  }

  /** Resolves when the frame is sent, or discarded because the response has ended. */
  send(frame: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEnded || frame === '') return resolve();
      this.#response.write(frame, () => {
        this.#outbox.flushed();
        resolve();
      });
      this.#outbox.sent();
    });
  }

  /** Ends the response behind its frames. Cuts the connection if the client does not read them. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#response.end(this.#codec.end);
    setTimeout(() => {
      if (!this.#response.writableFinished) this.#response.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  }
}
