/**
 * Sends a request. If the gateway does not respond, the error says why in one sentence, because GraphiQL shows errors
 * with their stack.
 */

export const NO_RESPONSE =
  'The gateway does not respond. Check that it is running, then run the operation again.';

/** The likely cause of a response by its status, if a proxy in front of the gateway sent it. */
const meanings: Readonly<Record<number, string>> = {
  200: 'Perhaps you have to sign in there',
  401: 'It requires a credential of its own',
  403: 'It does not allow the request',
  404: 'It does not know the path /graphql',
  413: 'The operation is larger than it allows',
  429: 'It received too many requests',
  431: 'The headers are larger than it allows',
  502: 'It cannot reach the gateway',
  503: 'It cannot reach the gateway',
  504: 'The gateway did not respond to it in time',
};

/** Rejects only if the visitor stops the operation. */
export async function fetchFromGateway(...request: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...request);
    const type = response.headers.get('content-type') ?? '';
    // The parts of a response are read as they arrive.
    if (type.startsWith('multipart/')) return response;
    const text = await response.text();
    return isObject(text)
      ? new Response(text, response)
      : toResponse(describeResponse(response.status, text));
  } catch (error) {
    if (error instanceof DOMException) throw error;
    return toResponse(NO_RESPONSE);
  }
}

function toResponse(message: string): Response {
  return Response.json({ errors: [{ message }] });
}

function isObject(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function describeResponse(status: number, text: string): string {
  const content = text.trim() === '' ? 'is empty' : 'is not JSON';
  const meaning = meanings[status];
  return [
    `The response with status ${status} ${content}.`,
    'It probably comes from a proxy in front of the gateway, not from the gateway.',
    ...(meaning ? [`${meaning}.`] : []),
  ].join(' ');
}
