/**
 * A process that sends requests over some connections, one after another on each, and times the answers. On bare
 * sockets, with requests made beforehand: it has to take less time for a request than any server does.
 */
import { connect } from 'node:net';
import { createAnswerReader } from './answerReader.js';
import { placesOf, writeNumber } from './requestTemplate.js';
import { percentile } from './statistics.js';

export interface LoadOrder {
  port: number;
  /** With places for a number, or without any: then all requests are alike. */
  request: string;
  /** The first request's number; each further one's is one more. */
  firstNumber: number;
  connections: number;
  /** No request is begun later. */
  milliseconds: number;
  /** What every answer has to be: `bytes` of body that begin with `start`. */
  expected: { bytes: number; start: string };
}

export type LoadReport =
  | {
      requests: number;
      /** From the first request to the last answer. */
      seconds: number;
      p50Ms: number;
      p99Ms: number;
      /** Processor time that all this took here, in seconds. */
      cpuSeconds: number;
    }
  | { failure: string };

interface Run {
  order: LoadOrder;
  places: readonly number[];
  nextNumber: number;
  endsAtMs: number;
  durationsMs: number[];
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const startedAtMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const state: Run = {
    order,
    places: placesOf(order.request),
    nextNumber: order.firstNumber,
    endsAtMs: startedAtMs + order.milliseconds,
    durationsMs: [],
  };
  await Promise.all(Array.from({ length: order.connections }, () => useConnection(state)));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = Float64Array.from(state.durationsMs).sort();
  const [p50Ms, p99Ms] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  return { requests: sorted.length, seconds, p50Ms, p99Ms, cpuSeconds: (user + system) / 1e6 };
}

/** Resolves when its last answer is there; rejects at the first answer that is not as expected. */
function useConnection(run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = Buffer.from(run.order.request);
    let sentAtMs = 0;
    const send = () => {
      sentAtMs = performance.now();
      if (sentAtMs >= run.endsAtMs) return void socket.end(resolve);
      if (run.places.length > 0) writeNumber(request, run.places, run.nextNumber++);
      socket.write(request);
    };
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(reason));
    };
    const read = createAnswerReader(run.order.expected, {
      onAnswer() {
        run.durationsMs.push(performance.now() - sentAtMs);
        send();
      },
      onFailure: fail,
    });
    const callback = (length: number, buffer: Uint8Array) => {
      read(buffer as Buffer, length);
      return true;
    };
    const onread = { buffer: Buffer.allocUnsafe(64 * 1024), callback };
    const socket = connect({ port: run.order.port, host: '127.0.0.1', noDelay: true, onread }, send);
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('The server closed the connection.'));
  });
}

process.on('message', (order: LoadOrder) => {
  const failed = (error: Error): LoadReport => ({ failure: error.message });
  run(order)
    .catch(failed)
    .then((report) => process.send?.(report), failed);
});
process.send?.('ready');
