/** Derives the OpenAPI 3.1 document from the endpoint table. */
import { TOKEN_PATH } from '../auth/tokens.js';
import type { SandboxEndpoint } from '../endpoints/endpoint.js';
import { type JsonSchema, listOf, reference } from '../openapi/field.js';
import { schemas } from '../openapi/schemas.js';

const DESCRIPTION = `Sites, devices, channels, streams and the samples they collect.

Request an access token from \`${TOKEN_PATH}\` and send it with every call. A list has at most 10,000 items.
A batch says whether more items follow. Dates in queries are whole Unix seconds, dates in bodies RFC 3339 in UTC.
Limits: 15 token requests and 1,000,000 calls of each endpoint in 15 minutes.`;

const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'Access tokens for Key and Secret.',
  Account: 'Organizations and users.',
  Site: 'Places with devices, and their custom attributes.',
  Device: 'Loggers and stations, their health and logs.',
  Channel: 'Inputs and outputs of devices.',
  Stream: 'Series of samples, and their custom attributes.',
  Threshold: 'Levels of values, and their actions.',
  'Scalar sample': 'Values.',
  'Image sample': 'Pictures.',
  'RFID sample': 'Tags that readers detected.',
};

const ERRORS: Readonly<Record<string, string>> = {
  400: 'A parameter or the body is invalid. The message names it.',
  401: 'The token is missing or invalid.',
  403: 'The token has been revoked.',
  404: 'The account has no such object.',
  413: 'The body is too large.',
  429: 'Too many calls. Wait for the time in Retry-After.',
  500: 'The service failed.',
};

function jsonContent(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}

function errorResponse(status: string, description: string): JsonSchema {
  const retryAfter = {
    description: 'Seconds to wait.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  };
  const headers = status === '429' ? { headers: { 'Retry-After': retryAfter } } : {};
  return { description, ...headers, content: jsonContent(reference('Error')) };
}

/** Only operations with a body can respond with 413. */
function errorReferences({ hasBody }: { hasBody: boolean }): JsonSchema {
  const statuses = Object.keys(ERRORS).filter((status) => hasBody || status !== '413');
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

function successResponse({ response }: SandboxEndpoint): JsonSchema {
  if (response.kind === 'none') return { 204: { description: 'Success.' } };
  const schema = response.kind === 'list' ? listOf(response.schema) : reference(response.schema);
  return { 200: { description: 'The result.', content: jsonContent(schema) } };
}

function parameterObject([name, parameter]: [string, SandboxEndpoint['parameters'][string]]): JsonSchema {
  const { in: location, required, description, schema } = parameter;
  return { name, in: location, required, description, schema };
}

function operationObject(endpoint: SandboxEndpoint): JsonSchema {
  const { operationId, tag, summary, description, bodySchema } = endpoint;
  const parameters = Object.entries(endpoint.parameters).map(parameterObject);
  const body = bodySchema && { required: true, content: jsonContent(reference(bodySchema)) };
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successResponse(endpoint), ...errorReferences({ hasBody: bodySchema !== undefined }) },
  };
}

function tokenOperation(): JsonSchema {
  const schema = reference('TokenRequest');
  return {
    operationId: 'createToken',
    tags: ['Authentication'],
    summary: 'Exchange Key and Secret for an access token',
    security: [{ keyAndSecret: [] }],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
    },
    responses: {
      200: { description: 'The token.', content: jsonContent(reference('Token')) },
      ...errorReferences({ hasBody: true }),
    },
  };
}

function pathObjects(endpoints: readonly SandboxEndpoint[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = { [TOKEN_PATH]: { post: tokenOperation() } };
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {};
    operations[endpoint.method.toLowerCase()] = operationObject(endpoint);
    paths[endpoint.path] = operations;
  }
  return paths;
}

/** @param serverUrl the base URL of the API, without a slash at the end. */
export function createOpenApiDocument(endpoints: readonly SandboxEndpoint[], serverUrl: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sensor monitoring REST API',
      version: '2.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl, description: 'This sandbox.' }],
    security: [{ accessToken: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathObjects(endpoints),
    components: {
      schemas,
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, text]) => [`Error${status}`, errorResponse(status, text)]),
      ),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token.',
        },
        keyAndSecret: { type: 'http', scheme: 'basic', description: 'Key as user, Secret as password.' },
      },
    },
  };
}
