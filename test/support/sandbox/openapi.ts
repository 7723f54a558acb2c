/** Reads the sandbox's OpenAPI document: the paths of operations, and whether a response conforms to it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: { maximum?: number } }[];
  responses: Record<string, unknown>;
  requestBody?: unknown;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>>; responses: Record<string, unknown> };
}

export interface FoundOperation extends Operation {
  method: string;
  path: string;
}

const REFERENCE = 'openapi.json';

function toPointer(...segments: readonly string[]): string {
  const escaped = segments.map((one) => encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1')));
  return `${REFERENCE}#/${escaped.join('/')}`;
}

/** Forbids fields that the document does not contain, so that neither side gains one silently. */
function withoutFurtherFields(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  for (const schema of Object.values(copy.components.schemas)) schema['additionalProperties'] = false;
  return copy;
}

export function listOperations(document: OpenApiDocument): FoundOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Checks responses; `isStrict` forbids unknown fields too, which a real platform may send. */
export function createResponseCheck(document: OpenApiDocument, isStrict = true) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  formats.default(ajv);
  ajv.addSchema(isStrict ? withoutFurtherFields(document) : document, REFERENCE);
  const known = new Map<string, ValidateFunction>();

  function validatorOf(pointer: string): ValidateFunction {
    const validator = known.get(pointer) ?? ajv.compile({ $ref: pointer });
    known.set(pointer, validator);
    return validator;
  }

  function pointerOf({ path, method, responses }: FoundOperation, status: number): string {
    if (!(status in responses)) throw new Error(`${method} ${path} has no documented response ${status}.`);
    if (status >= 400) return toPointer('components', 'schemas', 'Error');
    const content = ['content', 'application/json', 'schema'];
    return toPointer('paths', path, method.toLowerCase(), 'responses', String(status), ...content);
  }

  /** @throws if status or body differ from the document. */
  return (operation: FoundOperation, status: number, body: unknown): void => {
    const pointer = status === 204 ? undefined : pointerOf(operation, status);
    if (pointer === undefined) {
      if (body !== undefined) throw new Error(`${operation.path} responded with 204 and a body.`);
      return;
    }
    const validator = validatorOf(pointer);
    if (validator(body)) return;
    const errors = JSON.stringify(validator.errors);
    throw new Error(
      `${operation.method} ${operation.path} responded with ${status} out of contract: ${errors}`,
    );
  };
}
