/**
 * The load generator's process: sends requests one after another on each connection and times the responses. It uses plain
 * sockets and prepared requests, because it must need less time per request than any server.
 */
import { connect } from 'node:net';
import { percentile } from '../../shared/statistics.js';
import { digitPositions, writeNumber } from './requestTemplate.js';
import { createResponseReader } from './responseReader.js';

export interface LoadOrder {
  port: number;
  /** The request with placeholders for digits. Without placeholders all requests are equal. */
  request: string;
  /** The first request's number. Each further request increments it. */
  firstNumber: number;
  connections: number;
  /** The time in which requests may start. */
  milliseconds: number;
  /** Every response must have a body of `bytes` bytes that begins with `start`. */
  expected: { bytes: number; start: string };
}

export type LoadReport =
  | {
      requests: number;
      /** From the first request to the last response. */
      seconds: number;
      p50Ms: number;
      p99Ms: number;
      /** CPU time of this process in seconds. */
      cpuSeconds: number;
    }
  | { failure: string };

interface Run {
  order: LoadOrder;
  positions: readonly number[];
  nextNumber: number;
  endsAtMs: number;
  durationsMs: number[];
}

async function run(order: LoadOrder): Promise<LoadReport> {
  const startedAtMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const state: Run = {
    order,
    positions: digitPositions(order.request),
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

/** Resolves after the last response. Rejects at the first unexpected response. */
function useConnection(run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = Buffer.from(run.order.request);
    let sentAtMs = 0;
    const send = () => {
      sentAtMs = performance.now();
      if (sentAtMs >= run.endsAtMs) return void socket.end(resolve);
      if (run.positions.length > 0) writeNumber(request, run.positions, run.nextNumber++);
      socket.write(request);
    };
    const fail = (reason: string) => {
      socket.destroy();
      reject(new Error(reason));
    };
    const read = createResponseReader(run.order.expected, {
      onResponse() {
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
