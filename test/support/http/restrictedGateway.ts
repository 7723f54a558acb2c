/** A gateway whose callers are restricted to organizations, and the owners of all objects from the sandbox's rows. */
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { type GraphqlBody, required, STILL_NOW_MS, startStillGateway, type TestGateway } from '../gateway.js';
import { type Issuer, startIssuer } from './callers.js';

/** High limits, because all objects of a type are requested at once. */
const generous = { ...defaultOperationLimits, maxCost: 1e9, maxDepth: 100 };

/** Ids of organizations; `*` is the whole account. */
export type VisibleOrganizations = '*' | readonly number[];

export interface RestrictedGateway extends TestGateway {
  issuer: Issuer;
  askAs<Data>(
    entry: VisibleOrganizations,
    operation: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<GraphqlBody<Data>>;
  tokenOf(entry: VisibleOrganizations): Promise<string>;
  /** Typed ids of all objects of a type in both accounts. */
  idsOf(type: OwnedType): string[];
  /** The organization of a typed id; null without one, or for a missing object. */
  ownerOf(id: string): number | null;
}

/** The newest sample of each stream, with the id of its stream. */
export const newestOfStreams = (kind: 'scalar' | 'rfid') =>
  `SELECT t.id || ':' || max(x.id) AS id, account_organization_id AS owner FROM ${kind}_sample x
    JOIN stream t ON t.id = x.stream_id JOIN site s ON s.id = t.site_id GROUP BY t.id`;

/** For each type, the organization that each of its rows belongs to. */
const owners = {
  Organization: 'SELECT id, id AS owner FROM organization',
  Site: 'SELECT id, account_organization_id AS owner FROM site',
  Device: 'SELECT d.id, account_organization_id AS owner FROM device d JOIN site s ON s.id = d.site_id',
  Channel: `SELECT c.id, account_organization_id AS owner FROM channel c JOIN device d ON d.id = c.device_id
    JOIN site s ON s.id = d.site_id`,
  Stream: 'SELECT t.id, account_organization_id AS owner FROM stream t JOIN site s ON s.id = t.site_id',
  ImageSample: `SELECT i.id, account_organization_id AS owner FROM image_sample i
    JOIN stream t ON t.id = i.stream_id JOIN site s ON s.id = t.site_id`,
  ScalarSample: newestOfStreams('scalar'),
  User: 'SELECT id, NULL AS owner FROM user',
} as const;

type OwnedType = keyof typeof owners;
export const ownedTypes = Object.keys(owners) as OwnedType[];

export async function startRestrictedGateway(
  options: Partial<GatewayOptions> = {},
): Promise<RestrictedGateway> {
  const issuer = await startIssuer();
  const gateway = await startStillGateway({
    gateway: { callerAuth: issuer.settings, callerLimits: { operation: generous }, ...options },
  });
  const ownerById = new Map<string, number | null>();
  for (const [type, sql] of Object.entries(owners)) {
    const rows = gateway.sql<{ id: number | string; owner: number | null }>(`${sql} ORDER BY 1`);
    for (const { id, owner } of rows) ownerById.set(`${type}:${id}`, owner);
  }
  const tokenOf = (entry: VisibleOrganizations) => issuer.sign({ organizations: entry }, {}, STILL_NOW_MS);

  return {
    ...gateway,
    issuer,
    tokenOf,
    async askAs(entry, operation, variables, headers = {}) {
      const authorization = { Authorization: `Bearer ${await tokenOf(entry)}` };
      return (await gateway.query<never>(operation, variables, { ...authorization, ...headers })).body;
    },
    idsOf: (type) => [...ownerById.keys()].filter((id) => id.startsWith(`${type}:`)),
    ownerOf: (id) => ownerById.get(id) ?? null,
  };
}

/** The data of a response without errors. */
export function dataOf<Data>(body: GraphqlBody<Data>): Data {
  if (body.errors) throw new Error(`The operation failed: ${JSON.stringify(body.errors)}`);
  return required(body.data);
}
