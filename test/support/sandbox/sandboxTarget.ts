/**
 * The target of the contract suite: a sandbox, or, with PLATFORM_URL, PLATFORM_KEY and PLATFORM_SECRET in the
 * environment, a running platform, to which it then sends no writes.
 */
import { createOpenApiDocument } from '../../../src/sandbox/server/openApiDocument.js';
import { endpointTable } from '../../../src/sandbox/server/requestHandler.js';
import type { OpenApiDocument } from './openapi.js';
import { createApi, startSandboxWithApis } from './sandbox.js';

const { PLATFORM_URL, PLATFORM_KEY = '', PLATFORM_SECRET = '' } = process.env;

/** Whether the target is a real platform, which must not be changed. */
export const isPlatform = PLATFORM_URL !== undefined && PLATFORM_URL !== '';

export async function startTarget() {
  if (!PLATFORM_URL) return startSandboxWithApis();
  const url = PLATFORM_URL.replace(/\/+$/, '');
  const document = createOpenApiDocument(endpointTable, url) as unknown as OpenApiDocument;
  const api = await createApi({ url, document, key: PLATFORM_KEY, secret: PLATFORM_SECRET, isStrict: false });
  return { api, document };
}
