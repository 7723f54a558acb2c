/** Plain requests to a small sandbox, of which only the format of refusals is checked. */
import { expect } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { startSandbox, tokenFor } from './sandbox.js';

/** A sandbox, a token of its first account, and `ask`, which sends that token along. */
export async function startSandboxRequests(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ limits: { tokenRequests: 1000 }, ...options });
  const token = await tokenFor(sandbox.url, 'sandbox', 'sandbox');
  function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { Authorization: `Bearer ${token}`, ...init.headers };
    return fetch(sandbox.url + path, { ...init, headers });
  }
  return { sandbox, token, ask };
}

/** Status and message of a refusal, which must have the common format. */
export async function refusal(response: Response): Promise<{ status: number; message: string }> {
  const body = (await response.json()) as { message: string; request_id: string };
  expect(Object.keys(body)).toEqual(['message', 'request_id']);
  expect(body.request_id).not.toBe('');
  expect(response.headers.get('content-type')).toBe('application/json');
  return { status: response.status, message: body.message };
}
