/** Serves the built explorer: the page at `/` and its assets below `/explorer/`. */
import { statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import sirv, { type RequestHandler } from 'sirv';
import { GatewayError } from '../../errors.js';
import { isPipelinedTooDeep, PIPELINED_MESSAGE } from '../requests/requestBounds.js';
import { chooseEncoding } from '../responses/contentEncoding.js';
import { sendError } from '../responses/sendError.js';

const ASSET_PREFIX = '/explorer';

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fieldgraph</title></head>
<body><h1>Fieldgraph</h1><p>The explorer is not built. Run <code>npm run build</code> and reload this page.
The API itself is at <code>POST /graphql</code>.</p></body></html>
`;

/** Written when a build has ended, because its page and its compressed files are written before. */
const BUILD_STAMP = '.built';

/**
 * Serves the output of `npm run build` in `directory`. The list of files is read again after a later build. The page
 * may show images of `imageOrigin`, for example `https://platform.example`.
 */
export function createExplorerFiles(directory: string, imageOrigin: string) {
  let serveFile: RequestHandler | undefined;
  let builtAtMs: number | undefined;

  /** The lengths of files that are replaced while the gateway runs would be wrong. */
  function updateFiles(): void {
    const stampMs = statSync(path.join(directory, BUILD_STAMP), { throwIfNoEntry: false })?.mtimeMs;
    if (stampMs === builtAtMs) return;
    builtAtMs = stampMs;
    serveFile = stampMs === undefined ? undefined : createFileServer(directory);
  }

  function respond(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    setSecurityHeaders(request, response, imageOrigin);
    updateFiles();
    if (isPipelinedTooDeep(response)) {
      sendText(request, response, 400, 'plain', `${PIPELINED_MESSAGE}\n`);
    } else if (serveFile) {
      normalizeRequest(request, pathname);
      const isAsset = pathname.startsWith(`${ASSET_PREFIX}/assets/`);
      response.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('Vary', 'Accept-Encoding');
      serveFile(request, response, () => sendText(request, response, 404, 'plain', 'Not found\n'));
    } else {
      sendText(request, response, 503, 'html', NOT_BUILT);
    }
  }

  return {
    /** Returns false, without a response, for other paths. */
    handle(request: IncomingMessage, response: ServerResponse, requestId: string): boolean {
      const [pathname = ''] = (request.url ?? '').split('?');
      if (pathname !== '/' && !pathname.startsWith(`${ASSET_PREFIX}/`)) return false;
      if (request.method === 'GET' || request.method === 'HEAD') respond(request, response, pathname);
      else refuseMethod(response, requestId);
      return true;
    },
  };
}

/** In the form of a GraphQL response, because GraphQL clients whose address lacks `/graphql` get it. */
function refuseMethod(response: ServerResponse, requestId: string): void {
  response.setHeader('Allow', 'GET, HEAD');
  const message = 'The explorer can be read with GET and HEAD only. Send operations to /graphql.';
  sendError(response, new GatewayError('BAD_REQUEST', message), requestId, 405);
}

function createFileServer(directory: string): RequestHandler {
  return sirv(directory, {
    etag: true,
    brotli: true,
    gzip: true,
    extensions: ['html'],
    setHeaders: closeFile,
  });
}

/** Adapts a request to the simple parsers of sirv: weights of encodings and ranges are not passed on. */
function normalizeRequest(request: IncomingMessage, pathname: string): void {
  const { headers } = request;
  headers['accept-encoding'] = chooseEncoding(headers['accept-encoding']);
  delete headers.range;
  if (pathname !== '/') request.url = pathname.slice(ASSET_PREFIX.length);
}

/** sirv pipes the file into the response, but handles neither a disconnected client nor a file that cannot be read. */
function closeFile(response: ServerResponse): void {
  response.once('pipe', (file: NodeJS.ReadableStream & { destroy(): void }) => {
    file.once('error', () => response.destroy());
    response.once('close', () => file.destroy());
  });
}

/** Returns `host` as sources for the explorer's websocket: not every browser includes ws: and wss: in 'self'. */
function socketSources(host: string | undefined): string {
  return host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? ` ws://${host} wss://${host}` : '';
}

function setSecurityHeaders(
  { headers }: IncomingMessage,
  response: ServerResponse,
  imageOrigin: string,
): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // the editor sets sizes and colours with inline styles
    // The pictures of image samples.
    `img-src 'self' data: ${imageOrigin}`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `connect-src 'self'${socketSources(headers.host)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
}

function sendText(
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  type: 'plain' | 'html',
  text: string,
): void {
  response.writeHead(status, {
    'Content-Type': `text/${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(method === 'HEAD' ? undefined : text);
}
