/** Serves the built explorer from memory: a few files known in advance need no static-file server, and no path can leave them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import path from 'node:path';
import { type ContentEncoding, chooseEncoding } from '../responses/contentEncoding.js';

export interface ExplorerFiles {
  /** Answers when the path is `/` or below `/explorer/`; otherwise touches nothing and returns false. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

type Encoding = ContentEncoding | 'identity';

/** One representation of a page or asset. */
interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** An asset in each encoding that the build left beside it. */
interface StoredFile {
  headers: OutgoingHttpHeaders;
  etag: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

const ASSET_PREFIX = '/explorer/';
const ENCODINGS: readonly { name: ContentEncoding; suffix: string }[] = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Fieldgraph</title></head>
<body><h1>Fieldgraph</h1><p>The explorer is not built. Run <code>npm run build</code> and reload this page.
The API itself is at <code>POST /graphql</code>.</p></body></html>
`;

/** `host` as sources for the explorer's websocket: not every browser counts ws: and wss: as 'self'. */
function socketSources(host: string | undefined): string {
  return host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? ` ws://${host} wss://${host}` : '';
}

function securityHeaders(host: string | undefined): OutgoingHttpHeaders {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'", // the editor writes its measurements and colours as inline styles
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `connect-src 'self'${socketSources(host)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function toStoredFile(file: string, all: ReadonlySet<string>): StoredFile {
  const identity = readFileSync(file);
  const bodies: StoredFile['bodies'] = { identity };
  for (const { name, suffix } of ENCODINGS) {
    if (all.has(file + suffix)) bodies[name] = readFileSync(file + suffix);
  }
  const isPage = path.basename(file) === 'index.html';
  const headers = {
    'content-type': CONTENT_TYPES[path.extname(file)] ?? 'application/octet-stream',
    'cache-control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  };
  // Weak, because one tag stands for all encodings of the same content.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { headers, etag, bodies };
}

/** Path of the URL → file; undefined while there is no complete build. */
function readBuild(directory: string): Map<string, StoredFile> | undefined {
  const page = path.join(directory, 'index.html');
  if (!existsSync(page)) return undefined;
  const all = new Set(listFiles(directory));
  const files = new Map([['/', toStoredFile(page, all)]]);
  for (const file of all) {
    if (file === page || ENCODINGS.some(({ suffix }) => file.endsWith(suffix))) continue;
    const relative = path.relative(directory, file).split(path.sep).join('/');
    files.set(ASSET_PREFIX + relative, toStoredFile(file, all));
  }
  return files;
}

function encodingFor({ bodies }: StoredFile, request: IncomingMessage): Encoding {
  const header = request.headers['accept-encoding'];
  const isAvailable = (encoding: ContentEncoding) => bodies[encoding] !== undefined;
  return chooseEncoding(Array.isArray(header) ? header.join(', ') : header, isAvailable);
}

function isUnchanged(etag: string, header: string | undefined): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim());
  return known.includes('*') || known.some((tag) => tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
}

function plainReply(status: number, type: string, text: string, headers: OutgoingHttpHeaders = {}): Reply {
  const contentType = `text/${type}; charset=utf-8`;
  return {
    status,
    headers: { 'content-type': contentType, 'cache-control': 'no-store', ...headers },
    body: Buffer.from(text),
  };
}

function fileReply(file: StoredFile, request: IncomingMessage): Reply {
  const headers: OutgoingHttpHeaders = { ...file.headers, etag: file.etag };
  if (isUnchanged(file.etag, request.headers['if-none-match'])) {
    return { status: 304, headers, body: Buffer.alloc(0) };
  }
  const encoding = encodingFor(file, request);
  if (encoding !== 'identity') headers['content-encoding'] = encoding;
  return { status: 200, headers, body: file.bodies[encoding] ?? file.bodies.identity };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  const length = status === 304 ? {} : { 'content-length': body.length };
  response.writeHead(status, { ...securityHeaders(request.headers.host), ...headers, ...length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * The explorer as built into `directory` by `npm run build`. Files are read at the first request and kept, so
 * that page and assets always are of one build; a missing build is looked for again at each request.
 */
export function createExplorerFiles(directory: string): ExplorerFiles {
  let files: Map<string, StoredFile> | undefined;

  function reply(request: IncomingMessage, pathname: string): Reply {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return plainReply(405, 'plain', 'Method not allowed\n', { allow: 'GET, HEAD' });
    }
    files ??= readBuild(directory);
    const file = files?.get(pathname);
    if (file) return fileReply(file, request);
    return pathname === '/' ? plainReply(503, 'html', NOT_BUILT) : plainReply(404, 'plain', 'Not found\n');
  }

  return {
    handle(request, response) {
      const [pathname = ''] = (request.url ?? '').split('?');
      if (pathname !== '/' && !pathname.startsWith(ASSET_PREFIX)) return false;
      send(request, response, reply(request, pathname));
      return true;
    },
  };
}
