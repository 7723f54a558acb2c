/** Mixed traffic of the soak test: each kind sends requests, checks every response, and reports wrong ones. */
import { setTimeout as pause } from 'node:timers/promises';

interface GraphqlResult {
  status: number;
  data?: unknown;
  errors?: readonly { message: string; extensions?: { code?: string } }[];
}

export type Headers = Readonly<Record<string, string>>;

/** Sends one operation. */
export async function sendOperation(
  url: string,
  headers: Headers,
  query: string,
  variables: object = {},
): Promise<GraphqlResult> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

interface TrafficOptions {
  url: string;
  headers: Headers;
  random: () => number;
  /** Whether a call to the platform may have failed recently, so that operations may have errors. */
  hasFaults: () => boolean;
  onWrong: (message: string) => void;
}

/** Codes that an operation may have while the platform fails. */
const FAULT_CODE = /^PLATFORM_/;
const DAY_MS = 86_400_000;

export class Traffic {
  readonly counts = { queries: 0, faulty: 0, aborted: 0, writes: 0, events: 0 };
  readonly #options: TrafficOptions;
  readonly #operations: readonly string[];
  readonly #expected = new Map<string, string>();
  #siteId = '';
  #attribute = '';
  #written: string | undefined;
  #lastValue = 0;

  constructor(options: TrafficOptions, nowMs: number) {
    this.#options = options;
    const to = Math.floor(nowMs / DAY_MS) * DAY_MS - 2 * DAY_MS;
    const range = `{ from: "${new Date(to - 5 * DAY_MS).toISOString()}", to: "${new Date(to).toISOString()}" }`;
    this.#operations = [
      '{ organizations { nodes { id name sites(first: 100) { totalCount nodes { id name } } } } }',
      '{ sites(first: 20) { nodes { name devices { serialNumber channels { name streams { name units } } } } } }',
      '{ sites(filter: { near: { latitude: 39.1, longitude: -84.51, radiusKm: 10 } }) { edges { distanceKm node { name } } } }',
      ...Array.from(
        { length: 12 },
        (_, index) =>
          `{ stream(id: "Stream:${88_001 + index}") { name series(range: ${range}, maxPoints: 200) { times values } ` +
          `aggregates(range: ${range}, every: { hours: 6 }) { startAt count min max } } }`,
      ),
    ];
  }

  /** Reads what must not change, before any fault. */
  async begin(): Promise<void> {
    for (const operation of this.#operations) {
      const { data, errors } = await this.#send(operation);
      if (errors) throw new Error(`The operation failed: ${errors[0]?.message}`);
      this.#expected.set(operation, JSON.stringify(data));
    }
    const { data } = await this.#send(
      '{ sites(first: 1) { nodes { id } } siteCustomAttributeNames { name } }',
    );
    const { sites, siteCustomAttributeNames: names } = data as {
      sites: { nodes: { id: string }[] };
      siteCustomAttributeNames: { name: string }[];
    };
    this.#siteId = sites.nodes[0]?.id ?? '';
    this.#attribute = names[0]?.name ?? '';
  }

  /** Requests of all kinds, one after another, until the time is over. */
  async run(untilMs: number, pauseMs: number): Promise<void> {
    const kinds = [() => this.#query(), () => this.#query(), () => this.#lastSamples(), () => this.#abort()];
    while (performance.now() < untilMs) {
      const kind = kinds[Math.floor(this.#options.random() * kinds.length)];
      await kind?.();
      await pause(pauseMs * (0.5 + this.#options.random()));
    }
  }

  /** Writes an attribute and reads it back. */
  async write(): Promise<void> {
    this.#lastValue += 1;
    const value = `soak ${this.#lastValue}`;
    const input = { attributes: [{ siteId: this.#siteId, name: this.#attribute, value }] };
    const result = await this.#send(
      'mutation ($input: SetSiteCustomAttributesInput!) { setSiteCustomAttributes(input: $input) { userErrors { message } } }',
      { input },
    );
    this.counts.writes += 1;
    this.#written = this.#isUsable(result, 'a write') ? value : undefined;
    await this.#readBack();
  }

  /** Opens a stream over HTTP for a while, and disconnects without closing it. */
  async listen(milliseconds: number): Promise<void> {
    const response = await fetch(`${this.#options.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...this.#options.headers,
      },
      body: JSON.stringify({ query: 'subscription { sampleReceived { id } }' }),
      signal: AbortSignal.timeout(milliseconds),
    });
    try {
      for await (const chunk of response.body ?? [])
        this.counts.events += Buffer.from(chunk).includes('event: next') ? 1 : 0;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }

  #send(query: string, variables?: object): Promise<GraphqlResult> {
    return sendOperation(this.#options.url, this.#options.headers, query, variables);
  }

  async #query(): Promise<void> {
    const operation = this.#operations[Math.floor(this.#options.random() * this.#operations.length)] ?? '';
    const result = await this.#send(operation);
    this.counts.queries += 1;
    if (!this.#isUsable(result, operation)) return;
    if (JSON.stringify(result.data) !== this.#expected.get(operation)) {
      this.#options.onWrong(`Another response than at the start: ${operation}`);
    }
  }

  async #lastSamples(): Promise<void> {
    const query = '{ sites(first: 5) { nodes { streams { id lastSample { id value sampledAt } } } } }';
    this.counts.queries += 1;
    const { data } = await this.#send(query).then((result) =>
      this.#isUsable(result, query) ? result : { data: undefined },
    );
    const sites = (data as { sites: { nodes: { streams: object[] }[] } } | undefined)?.sites.nodes ?? [];
    if (data && !sites.some(({ streams }) => streams.length > 0))
      this.#options.onWrong('No streams of 5 sites.');
  }

  /** Disconnects before the response. */
  async #abort(): Promise<void> {
    this.counts.aborted += 1;
    const query = `{ sites { nodes { name streams { name lastSample { value } } } } }`;
    await fetch(`${this.#options.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        ...this.#options.headers,
      },
      body: JSON.stringify({ query }),
      signal: AbortSignal.timeout(1 + Math.floor(this.#options.random() * 20)),
    }).then(
      (response) => response.text().catch(() => undefined),
      () => undefined,
    );
  }

  async #readBack(): Promise<void> {
    const query = `{ site(id: "${this.#siteId}") { customAttributes { name value } } }`;
    const result = await this.#send(query);
    if (!this.#isUsable(result, 'reading back a write') || this.#written === undefined) return;
    const { site } = result.data as { site: { customAttributes: { name: string; value: string }[] } };
    const value = site.customAttributes.find(({ name }) => name === this.#attribute)?.value;
    if (value !== this.#written)
      this.#options.onWrong(`Wrote "${this.#written}" and read "${value ?? 'nothing'}".`);
  }

  /** False with errors. They are wrong unless the platform fails. */
  #isUsable({ status, data, errors }: GraphqlResult, what: string): boolean {
    if (errors === undefined && data !== undefined) return true;
    const codes = (errors ?? []).map(({ extensions }) => extensions?.code ?? 'no code');
    if (this.#options.hasFaults() && codes.length > 0 && codes.every((code) => FAULT_CODE.test(code))) {
      this.counts.faulty += 1;
    } else {
      this.#options.onWrong(
        `Status ${status}, ${errors?.[0]?.message ?? 'no data'} (${codes.join(', ')}): ${what}`,
      );
    }
    return false;
  }
}
