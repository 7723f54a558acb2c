/** Sends GraphQL operations to a gateway. */

interface GraphqlBody {
  data?: unknown;
  errors?: readonly { message: string }[];
  extensions?: Readonly<Record<string, unknown>>;
}

/** Sends one operation by POST and returns the parsed body and its length in characters. */
export async function postOperation(
  url: string,
  query: string,
  { variables = {}, headers = {} }: { variables?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<{ body: GraphqlBody; length: number }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  return { body: JSON.parse(text) as GraphqlBody, length: text.length };
}

/** Returns the data of an operation. Throws when the response has errors. */
export async function queryData<Data>(url: string, query: string, variables: object = {}): Promise<Data> {
  const { body } = await postOperation(url, query, { variables });
  if (body.errors) throw new Error(`The operation failed: ${body.errors[0]?.message}`);
  return body.data as Data;
}
